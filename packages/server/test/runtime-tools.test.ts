// Whether waiting runs go on: each account's own, changed by an admin alone, and kept.
import { expect, test } from "vitest";
import { createMemoryStore } from "@spfunctions/kernel";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { type RuntimeState, runtimeState } from "../src/pack/runtime-tools.ts";
import { ask, installation, testPlatform } from "../test-data/test-platform.ts";

async function house() {
  const clock = new ManualClock();
  const store = createMemoryStore();
  const here = await testPlatform("embedded", { clock, store });
  const admins = Object.fromEntries(
    await Promise.all(
      ["acct_1", "acct_2"].map(
        async (id) => [id, await here.platform.createKey(id, { scopes: ["admin"] })] as const,
      ),
    ),
  );
  const tell = async (accountId: string, what: "" | "/stop" | "/ensure") => {
    const method = what === "" ? "GET" : "POST";
    const { body } = await ask(here, `/api/runtime${what}`, { key: admins[accountId]?.secret, method });
    if (body.ok) return body.data as RuntimeState;
    throw new Error(body.error.code);
  };
  return { ...here, clock, store, admins, tell };
}

test("they go on until somebody stops them, and from runtime.ensure on", async () => {
  const { tell, clock, admins } = await house();
  const changedBy = admins["acct_1"]?.key.keyId;
  const at = () => new Date(clock.now()).toISOString();
  expect(await tell("acct_1", "")).toStrictEqual({ state: "running" });
  expect(await tell("acct_1", "/ensure")).toStrictEqual({ state: "running" });
  const stopped = { state: "stopped", changedAt: at(), changedBy };
  expect(await tell("acct_1", "/stop")).toStrictEqual(stopped);
  clock.advance(1000);
  expect(await tell("acct_1", "/stop")).toStrictEqual(stopped);
  expect(await tell("acct_1", "")).toStrictEqual(stopped);
  expect(await tell("acct_1", "/ensure")).toStrictEqual({ state: "running", changedAt: at(), changedBy });
});

test("I1: one account's are not another's", async () => {
  const { tell, store } = await house();
  await tell("acct_1", "/stop");
  const host = { store, installation, onUnprovenRuntime: () => undefined };
  expect(await tell("acct_2", "")).toStrictEqual({ state: "running" });
  expect((await runtimeState(host, "acct_2")).state).toStrictEqual({ state: "running" });
  expect((await runtimeState(host, "acct_1")).state.state).toBe("stopped");
});

test("they stay stopped over a restart, and direct calls are not touched", async () => {
  const { tell, platform, clock, store, key } = await house();
  const user = await key("acct_1");
  await tell("acct_1", "/stop");
  await platform.close();
  const again = await testPlatform("embedded", { clock, store });
  expect((await ask(again, "/api/runtime", { key: user })).body).toMatchObject({
    data: { state: "stopped" },
  });
  expect((await ask(again, "/api/notes", { key: user, body: {} })).status).toBe(200);
});
