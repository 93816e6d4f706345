// A store that is kept, and somebody who can write its database and has no secret: on SQLite and on PostgreSQL.
import { openPostgresStore, openSqliteStore } from "@spfunctions/host/store";
import type { Store } from "@spfunctions/kernel";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, onTestFinished } from "vitest";
import { describePostgres } from "../../packages/host/test/describe-postgres.ts";

export type StoreWithSql = {
  readonly open: () => Promise<Store>;
  /** Runs one statement about the tables `documents` and `claims`, while no process has the store open. */
  readonly execute: (sql: string) => Promise<void>;
};

export function describeStores(tests: (make: () => Promise<StoreWithSql>) => void): void {
  describe("SQLite", () => {
    tests(async () => {
      const folder = mkdtempSync(join(tmpdir(), "sql-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      return {
        open: async () => await openSqliteStore({ folder }),
        execute: async (sql) => {
          const database = new DatabaseSync(join(folder, "simplefunctions.db"));
          database.exec(sql);
          database.close();
        },
      };
    });
  });
  describePostgres("PostgreSQL", (postgres) =>
    tests(async () => {
      const { url, ask } = await postgres().newDatabase();
      return {
        open: async () => await openPostgresStore({ url }),
        execute: async (sql) => {
          // The tables lie in a schema of their own.
          const [table] = await ask("SELECT schemaname FROM pg_tables WHERE tablename = 'documents'");
          const schema = `"${String(table?.["schemaname"])}"`;
          await ask(sql.replaceAll(/\b(INTO|FROM|UPDATE) (documents|claims)\b/g, `$1 ${schema}.$2`));
        },
      };
    }),
  );
}
