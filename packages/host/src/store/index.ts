export { type FileTraceOptions, openFileTrace } from "./file-trace/open-file-trace.ts";
export { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from "./sqlite/open-sqlite-store.ts";
export { openSqliteSearchIndex, type SqliteSearchIndex } from "./sqlite-search/open-sqlite-search-index.ts";
