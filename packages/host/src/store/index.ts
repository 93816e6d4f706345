export { type FileTraceOptions, openFileTrace } from "./file-trace/open-file-trace.ts";
export { lookAtPostgres } from "./postgres/look-at-postgres.ts";
export type { PostgresLook } from "./postgres/look-at-schema.ts";
export { openPostgresStore } from "./postgres/open-postgres-store.ts";
export type { PostgresStore, PostgresStoreOptions } from "./postgres/postgres-store.ts";
export { sqliteSchemaVersion } from "./sqlite/inspect-database-file.ts";
export { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from "./sqlite/open-sqlite-store.ts";
export { openSqliteSearchIndex, type SqliteSearchIndex } from "./sqlite-search/open-sqlite-search-index.ts";
export { openTurnLogs, type TurnLogs, type TurnLogsOptions } from "./turn-logs/open-turn-logs.ts";
