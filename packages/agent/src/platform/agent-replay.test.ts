// R1: replay never calls live: no network, no executor. R2: the same recorded results, byte for byte, on any machine.
import { buildManifest, type ErrorCode } from "@spfunctions/contracts";
import {
  createMemoryStore,
  diffTraces,
  memoryTrace,
  readTrace,
  openStoreTrace,
  traceEntries,
} from "@spfunctions/kernel";
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { DeskPack } from "../../test-data/desk-pack.ts";
import type { Asked, Told } from "../../test-data/offline-agent.ts";
import { platformAgent } from "../../test-data/platform-agent.ts";
import type { AgentOptions } from "./agent-options.ts";
import { SimpleFunctionsAgent } from "./simple-functions-agent.ts";
import { withPackages } from "../../../../tests/installed/start-installed.ts";

const policy = { maxSideEffect: "user_write" } as const;
type Call = readonly [tool: string, input: object];
const [read, write, fail]: readonly [Call, Call, Call] = [
  ["desk.read", { text: "a" }],
  ["desk.write", { text: "b" }],
  ["desk.put", { text: "fail" }],
];

/** An answer or a refusal, as far as it is recorded. */
async function outcomeOf(agent: SimpleFunctionsAgent, [tool, input]: Call): Promise<unknown> {
  try {
    const { output, runId, callId, durationMs, receipt } = await agent.call(tool, input);
    return { output, runId, callId, durationMs, receipt };
  } catch (error) {
    const { code, message } = error as { code: ErrorCode; message: string };
    return { code, message };
  }
}

async function outcomesOf(agent: SimpleFunctionsAgent, calls: readonly Call[]): Promise<unknown[]> {
  const outcomes: unknown[] = [];
  for (const call of calls) outcomes.push(await outcomeOf(agent, call));
  return outcomes;
}

/** Calls made live, what came of them, and their trace. */
async function recorded(calls: readonly Call[], options: Omit<AgentOptions, "client"> = {}) {
  const desk: DeskPack = new DeskPack((input) => {
    if ((input as { text?: string }).text === "fail") throw new Error("as it was told");
    return { run: desk.runs.length };
  });
  const trace = memoryTrace();
  const { agent } = await platformAgent({ policy, trace, ...options }, { platform: { packs: [desk.pack] } });
  const outcomes = await outcomesOf(agent, calls);
  await agent.close();
  return { outcomes, text: await trace.text(), desk };
}

function replaying(replay: readonly string[], options: Partial<AgentOptions> = {}): SimpleFunctionsAgent {
  const agent = new SimpleFunctionsAgent({ mode: "replayOnly", replay, policy, ...options });
  onTestFinished(() => agent.close());
  return agent;
}

describe("a trace replays", () => {
  // proves KEY-2.11, KEY-2.24, KEY-16.32
  // proves RUN-2.8
  test("to equal outcomes: answers, failures and their ids, and nothing runs", async () => {
    const calls = [read, write, fail, read];
    const { outcomes, text, desk } = await recorded(calls);
    const done = desk.runs.length;
    expect(outcomes).toMatchObject([
      { output: { run: 1 } },
      { output: { run: 2 } },
      { code: "upstream_error" },
      { output: { run: 4 } },
    ]);
    expect(await outcomesOf(replaying([text]), calls)).toStrictEqual(outcomes);
    expect(desk.runs).toHaveLength(done);
  });

  test("call by call: the nth equal call gets the nth answer, and the next none", async () => {
    const { outcomes, text } = await recorded([read, read, read]);
    expect(outcomes).toMatchObject([1, 2, 3].map((run) => ({ output: { run } })));
    const agent = replaying([text]);
    expect(await outcomesOf(agent, [read, read, read])).toStrictEqual(outcomes);
    expect((await rejectionOf(agent.call(...read))).code).toBe("replay_miss");
  });

  test("with others, in the order in which they are given, from wherever they are kept", async () => {
    const store = createMemoryStore();
    const kept = await openStoreTrace(store, { accountId: "acct_1", id: "first" });
    const first = await recorded([read, write], { trace: kept });
    const second = await recorded([read, fail]);
    const calls = [read, read, fail, write];
    const agent = replaying([], { replay: [kept, second.text] });
    expect(await outcomesOf(agent, calls)).toStrictEqual([
      first.outcomes[0],
      second.outcomes[0],
      second.outcomes[1],
      first.outcomes[1],
    ]);
    expect((await rejectionOf(agent.call(...read))).code).toBe("replay_miss");
  });

  test("from the place where it was kept, which is only read", async () => {
    const trace = memoryTrace();
    const { outcomes } = await recorded([read], { trace });
    const before = await trace.text();
    const agent = new SimpleFunctionsAgent({ mode: "replayOnly", trace });
    expect(await outcomesOf(agent, [read])).toStrictEqual(outcomes);
    await agent.close();
    expect(await trace.text()).toBe(before);
  });

  test("under today's policy: what is not allowed is not answered", async () => {
    const { text } = await recorded([write]);
    expect((await rejectionOf(replaying([text], { policy: {} }).call(...write))).code).toBe("policy_denied");
  });

  // proves KEY-16.1
  test("not at all once it was changed: B22", async () => {
    const { text } = await recorded([write]);
    const agent = replaying([text.replace('"run\\":1', '"run\\":2'), text]);
    for (const act of [() => agent.call(...write), () => agent.call(...write)])
      expect((await rejectionOf(act())).code).toBe("journal_corrupt");
  });
});

const entriesOf = async (one: string) =>
  traceEntries(await readTrace(one)).map(
    ({ seq: _s, hash: _h, principal: _p, startedAt: _t, packageFingerprint: _f, ...entry }) => entry,
  );

const plain = (all: unknown[]) =>
  all.map((one) => ({ ...(one as { receipt?: unknown }), receipt: undefined }));

// proves KEY-2.23
// proves RUN-15.4
test("a replay that is recorded gives an equal trace, which replays to the same again", async () => {
  const calls = [read, write, fail, read];
  const { outcomes, text } = await recorded(calls);
  const trace = memoryTrace();
  const agent = replaying([text], { trace });
  await outcomesOf(agent, calls);
  await agent.close();
  const again = await trace.text();

  expect(await entriesOf(again)).toStrictEqual(await entriesOf(text));
  expect((await readTrace(again)).verification.status).toBe("ok");
  expect(diffTraces(await readTrace(text), await readTrace(again))).toMatchObject({
    equal: true,
    differences: [],
  });
  const [, ...first] = outcomes;
  const [, ...second] = await outcomesOf(replaying([again]), calls);

  expect(plain(second)).toStrictEqual(plain(first));
});

test("a tool that was changed since still matches, and that it was is said", async () => {
  const { text } = await recorded([read]);
  const { header } = await readTrace(text);
  const definitions = (header?.tools ?? []).map(({ digest: _digest, ...tool }) => ({
    ...tool,
    description: "Now another.",
  }));
  const manifest = buildManifest(definitions);
  const changed = await replaying([text], { manifest }).call(...read);
  expect(changed).toMatchObject({ output: { run: 1 }, recordedToolDigest: header?.tools[0]?.digest });
  expect(await replaying([text]).call(...read)).not.toHaveProperty("recordedToolDigest");
});

// proves KEY-6.14, KEY-16.30, KEY-16.34
test("R1: a trace of one machine replays on another without a key or a network, also where it misses", async () => {
  const calls = [read, write, fail, read] as const;
  const { outcomes, text } = await recorded(calls);
  const child = fork(join(import.meta.dirname, "../../test-data/offline-agent.ts"), {
    execArgv: [...withPackages, "--disable-warning=ExperimentalWarning"],
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const told = once(child, "message");
  child.send({
    replay: [text],
    calls: [...calls, read, ["desk.search", {}], ["world.read", {}]],
  } satisfies Asked);
  const [{ answers, reached }] = (await told) as [Told];
  const expected = outcomes.map((one) => {
    const { output, callId, code } = one as Record<string, unknown>;
    return code ?? { output, callId, matchedBy: "exact" };
  });
  expect(answers).toStrictEqual([...expected, "replay_miss", "replay_miss", "replay_miss"]);
  expect(reached).toStrictEqual([]);
});

test("with the platform's contracts, what was never recorded is a miss, too", async () => {
  const { text } = await recorded([read]);
  const house = await platformAgent({ policy }, { platform: { packs: [new DeskPack().pack] } });
  const manifest = await house.agent.manifest();
  const agent = replaying([text], { manifest });
  expect((await rejectionOf(agent.call("desk.search", {}))).code).toBe("replay_miss");
});
