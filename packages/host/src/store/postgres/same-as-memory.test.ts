// Whatever is asked of both, in whatever order and company: the PostgreSQL store answers as the memory store does.
import { expect, test } from "vitest";
import { compareWithMemory } from "../../../test/compare-with-memory.ts";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

describePostgres("the PostgreSQL store beside the memory store", (postgres) => {
  test("whatever is asked, both stores answer the same and hold the same", async () => {
    const { url } = await postgres().newDatabase();
    let schemas = 0;
    const open = () => {
      schemas += 1;
      return openPostgresStore({ url, schema: `schema_${schemas}` });
    };
    await expect(compareWithMemory(open, 40)).resolves.toBeUndefined();
  });
});
