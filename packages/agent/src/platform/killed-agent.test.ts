// X1: an agent's process is killed, by the operating system and on a real disk, between what was done on the platform and the record
// of it. The next one finds out, and nothing is done twice.
import { openSqliteStore } from "@spfunctions/host/store";
import type { Store } from "@spfunctions/kernel";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testPlatform } from "../../../server/test-data/test-platform.ts";
import { DeskPack } from "../../test-data/desk-pack.ts";
import { type Between, type PlatformAgent, platformAgent, recordOf } from "../../test-data/platform-agent.ts";
import type { AgentOptions } from "./agent-options.ts";
import { withPackages } from "../../../../tests/installed/start-installed.ts";

type Death = {
  readonly tool?: string;
  readonly options?: object;
  readonly at: readonly [kind: string, when: "before" | "after"];
};

type Reopened = {
  readonly store: Store;
  /** An agent on what was left, with this API key or with a new one. */
  readonly next: (
    options: Omit<AgentOptions, "client">,
    apiKey?: string,
    between?: Between,
  ) => Promise<PlatformAgent>;
};

type Scene = {
  readonly desk: DeskPack;
  readonly key: string;
  readonly reopen: () => Promise<Reopened>;
};

/** A platform on a socket, and an agent of it in another process that died in the middle of a call. */
async function killed({ tool = "desk.write", options = {}, at }: Death): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), "sf-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const desk: DeskPack = new DeskPack((input) => ({ done: input, run: desk.runs.length }));
  const house = await testPlatform("socket", { packs: [desk.pack] });
  const key = await house.key("acct_1");
  const args = [folder, house.baseUrl, tool, '{"text":"once"}', JSON.stringify(options), ...at];
  const child = fork(join(import.meta.dirname, "../../test-data/dying-agent.ts"), args, {
    execArgv: [...withPackages, "--disable-warning=ExperimentalWarning"],
    env: { ...process.env, SF_API_KEY: key },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  expect(await Promise.race([once(child, "message"), once(child, "exit")])).toStrictEqual(["now", undefined]);
  child.kill("SIGKILL");
  expect(await once(child, "exit")).toStrictEqual([null, "SIGKILL"]);
  const reopen = async () => {
    const store = await openSqliteStore({ folder });
    onTestFinished(() => store.close());
    const next: Reopened["next"] = async (given, apiKey, between) =>
      await platformAgent(
        { policy: { maxSideEffect: "user_write" }, store, ...given },
        { house, way: "socket", apiKey, ...(between && { between }) },
      );
    return { store, next };
  };
  return { desk, key, reopen };
}

test("X1: killed after it was done there and before its end was written here, it is retried under the same key and runs once", async () => {
  const { desk, key, reopen } = await killed({ at: ["call.settled", "before"] });
  expect(desk.runs).toHaveLength(1);
  const { store, next } = await reopen();
  const { effectId } = await recordOf(store, "local", "call.intended");
  const { agent } = await next({}, key);
  expect(await agent.recover()).toMatchObject({
    settled: [{ tool: "desk.write", effectId, outcome: "completed", by: "retry" }],
  });
  expect(desk.runs).toStrictEqual([{ tool: "desk.write", key: effectId, attempt: 1 }]);
  expect(await recordOf(store, "local", "call.settled")).toMatchObject({
    status: "completed",
    externalOperationId: expect.stringMatching(/^call_/),
  });
  expect([await agent.unknown(), (await agent.verify()).status]).toStrictEqual([[], "ok"]);
});

test("X1: its answer is the one that was given there, also of a read that was paid for", async () => {
  const options = { idempotencyKey: "my-own-key" };
  const { desk, key, reopen } = await killed({
    tool: "desk.search",
    options,
    at: ["call.settled", "before"],
  });
  const { agent } = await (await reopen()).next({}, key);
  // The first call settles what was left, and is answered by it.
  const answer = await agent.call("desk.search", { text: "once" }, options);
  expect(answer).toMatchObject({ output: { done: { text: "once" }, run: 1 }, replayed: true });
  expect(desk.runs).toStrictEqual([{ tool: "desk.search", key: "my-own-key", attempt: 1 }]);
});

test("X1: killed after its intent was written and before it was sent, it is sent by the next one, once", async () => {
  const { desk, key, reopen } = await killed({ at: ["call.intended", "after"] });
  expect(desk.runs).toStrictEqual([]);
  const { agent } = await (await reopen()).next({}, key);
  expect(await agent.recover()).toMatchObject({ settled: [{ outcome: "completed", by: "retry" }] });
  expect(desk.runs).toHaveLength(1);
});

test("I1, R1: whoever only inspects or replays, or has another API key, leaves it alone; its own key settles it", async () => {
  const { desk, key, reopen } = await killed({ at: ["call.settled", "before"] });
  const { store, next } = await reopen();
  const nothing = { segments: 0, settled: [], living: 0 };
  for (const options of [{ mode: "inspectOnly" }, { mode: "replayOnly", replay: [] }] as const) {
    const { agent, sent } = await next(options, key);
    expect(await agent.recover()).toStrictEqual(nothing);
    await agent.close();
    expect(sent.filter(({ what }) => what !== "GET /api/contracts/tools")).toStrictEqual([]);
  }
  const other = await next({});
  const reason = expect.stringContaining("that key comes again");
  expect(await other.agent.recover()).toMatchObject({ settled: [{ outcome: "left", by: "nobody", reason }] });
  await other.agent.close();
  await expect(recordOf(store, "local", "call.settled")).rejects.toThrow("0 records");
  const own = await next({}, key);
  expect(await own.agent.recover()).toMatchObject({ settled: [{ outcome: "completed", by: "retry" }] });
  expect(desk.runs).toHaveLength(1);
});

test("X1: where the platform is out of reach, the next one does not know either, and says so", async () => {
  const { key, reopen } = await killed({ at: ["call.settled", "before"] });
  const { agent } = await (await reopen()).next({}, key, (request, pass) =>
    request.method === "POST" ? Promise.reject(new TypeError("fetch failed")) : pass(),
  );
  expect(await agent.recover()).toMatchObject({ settled: [{ outcome: "unknown" }] });
  expect(await agent.unknown()).toMatchObject([{ tool: "desk.write", reason: expect.any(String) }]);
});
