// B22: whether waiting runs of an account go on is not said by a row that this installation has not written: then they count as stopped,
// the operator is told once, and an admin lets them go on again.
import { canonicalJson } from "@spfunctions/contracts";
import { expect, onTestFinished, test } from "vitest";
import { ask, testPlatform } from "../packages/server/test-data/test-platform.ts";
import { describeStores, type StoreWithSql } from "./test-data/stores-with-sql.ts";

const accounts = ["acct_1", "acct_2"];
const admin = { name: "admin", scopes: ["admin", "read"] } as const;

function testRows(make: () => Promise<StoreWithSql>): void {
  const insertion = (state: string) => {
    const body = canonicalJson({ state, changedAt: "2026-01-02T03:04:05.000Z", changedBy: "key_old" });
    return [
      "DELETE FROM documents WHERE kind = 'runtime' AND account = 'acct_1'",
      `INSERT INTO documents (account, kind, id, status, revision, body) VALUES ('acct_1', 'runtime', 'runtime', '${state}', 1, '${body}')`,
    ];
  };
  const attacks: Record<string, string[]> = {
    "without a proof that says that they go on, as an older version wrote it,": insertion("running"),
    "without a proof that says that they are stopped": insertion("stopped"),
    "that was changed": [
      `UPDATE documents SET status = 'running', body = replace(body, 'stopped', 'running') WHERE kind = 'runtime' AND account = 'acct_1'`,
    ],
    "that was copied from another account": [
      "DELETE FROM documents WHERE kind = 'runtime' AND account = 'acct_1'",
      "INSERT INTO documents (account, kind, id, status, revision, body) SELECT 'acct_1', kind, id, status, revision, body FROM documents WHERE kind = 'runtime' AND account = 'acct_2'",
    ],
    "that is no JSON": ["UPDATE documents SET body = '{' WHERE kind = 'runtime' AND account = 'acct_1'"],
  };

  test.each(Object.entries(attacks))("a row %s stops runs until an admin lets them go on", async (_, sql) => {
    const { open, execute } = await make();
    const first = await open();
    const before = await testPlatform("embedded", { store: first });
    const keys = await Promise.all(
      accounts.map(async (accountId) => await before.platform.createKey(accountId, admin)),
    );
    const tell = async (house: typeof before, at: number, what = "") => {
      const key = keys[at]?.secret;
      const method = what === "" ? "GET" : "POST";
      const { body } = await ask(house, `/api/runtime${what}`, { key, method });
      return body.ok ? body.data : body.error.code;
    };
    // The first has stopped its runs, the second has let them go on again.
    for (const at of [0, 1]) await tell(before, at, "/stop");
    await tell(before, 1, "/ensure");
    await before.platform.close();
    await first.close();
    for (const one of sql) await execute(one);
    const store = await open();
    const lines: object[] = [];
    const log = (line: object) => void lines.push(line);
    const house = await testPlatform("embedded", { store, log });
    onTestFinished(async () => {
      await house.platform.close();
      await store.close();
    });
    expect(await tell(house, 0)).toStrictEqual({ state: "stopped" });
    expect(await tell(house, 0)).toStrictEqual({ state: "stopped" });
    expect(await tell(house, 1)).toMatchObject({ state: "running" });
    const unproven = { level: "warn", event: "runtime.unproven", accountId: "acct_1" };
    expect(lines).toStrictEqual([{ ...unproven, message: expect.stringContaining("runtime.ensure") }]);
    const changedBy = keys[0]?.key.keyId;
    expect(await tell(house, 0, "/stop")).toMatchObject({ state: "stopped", changedBy });
    expect(await tell(house, 0)).toMatchObject({ state: "stopped", changedBy });
    expect(await tell(house, 0, "/ensure")).toMatchObject({ state: "running", changedBy });
    expect(await tell(house, 0)).toMatchObject({ state: "running", changedBy });
    expect(lines).toHaveLength(1);
  });
}

describeStores(testRows);
