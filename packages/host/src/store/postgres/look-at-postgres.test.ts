import { expect, test } from "vitest";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { lookAtPostgres } from "./look-at-postgres.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

describePostgres("looking at a database", (postgres) => {
  test("says what server it is and whether a store is in it, and makes nothing", async () => {
    const { url, ask } = await postgres().newDatabase();
    const schemas = "SELECT nspname FROM pg_namespace WHERE nspname = 'simplefunctions'";
    const empty = await lookAtPostgres({ url });
    expect([empty, await ask(schemas)]).toStrictEqual([
      { server: expect.stringMatching(/^\d+\.\d+/), version: undefined, known: expect.any(Number) },
      [],
    ]);
    await (await openPostgresStore({ url })).close();
    expect(await lookAtPostgres({ url })).toStrictEqual({ ...empty, version: empty.known });
    expect((await lookAtPostgres({ url, schema: "other" })).version).toBeUndefined();
    await ask("UPDATE simplefunctions.simplefunctions_version SET version = 999");
    expect((await lookAtPostgres({ url })).version).toBe(999);
  });

  test("S1: one that cannot be reached is told of without its password", async () => {
    const { port } = postgres();
    const password = "correct-horse-battery";
    const fault: unknown = await lookAtPostgres({
      url: `postgres://postgres:${password}@127.0.0.1:${port}/none`,
    }).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: "host_configuration_needed", details: { sqlState: "3D000" } });
    expect(JSON.stringify(fault) + String((fault as Error).stack)).not.toContain(password);
  });
});
