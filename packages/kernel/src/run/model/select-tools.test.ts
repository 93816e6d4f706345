// The package holds everything that the policy would allow; what of it a model is shown is chosen. G3: never more than it may call.
import type { ContractTool } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Deck } from "../../../test-data/call-deck.ts";
import { collected, openDesk } from "../../../test-data/call-desk.ts";
import { FaultyStore, kindsIn } from "../../../test-data/call-store.ts";
import { manyTools } from "../../../test-data/many-tools.ts";
import {
  generous,
  inTurn,
  levelOf,
  openRunDesk,
  type Proposal,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
} from "../../../test-data/run-desk.ts";
import { openReplay } from "../../replay/replay.ts";
import { exportTrace } from "../../trace/export-trace.ts";

const deck = new Deck(undefined, manyTools);
const many = manyTools.map((tool) => deck.tool(tool));
const search = (query: string, limit?: number): Proposal => ({
  name: "tools.search",
  args: { query, ...(limit !== undefined && { limit }) },
});

/** The names of what the model was shown each time it was asked. */
const toolsIn = ({ model }: RunDesk): string[][] =>
  model.asked.map(({ tools }) => tools.map(({ name }) => name));

async function play(options: RunDeskOptions, objective: unknown = "Which invoices have not been paid?") {
  const desk = openRunDesk({ packs: [many], deck, ...options });
  const handle = await desk.runs.start({ objective: objective as string });
  const result = await handle.wait();
  return { desk, result, runId: handle.runId };
}

// proves RUN-4.5, RUN-9.1, RUN-9.11
test("it is shown what is preloaded, the few that fit what it is to do best, and a tool to find others with", async () => {
  const { desk, runId } = await play({ selection: { preload: ["world.read"], candidates: 2 } });
  expect(toolsIn(desk)).toStrictEqual([["invoices.create", "invoices.list", "tools.search", "world.read"]]);
  expect((await desk.records(runId))[0]).toMatchObject({
    shown: ["invoices.create", "invoices.list", "tools.search", "world.read"],
  });
  expect(desk.runs.package.capabilities).toHaveLength(many.length + 1);
});

test("what is preloaded takes no place of what fits", async () => {
  const { desk } = await play({ selection: { preload: ["invoices.list"], candidates: 1 } });
  expect(toolsIn(desk)).toStrictEqual([["invoices.create", "invoices.list", "tools.search"]]);
});

test("where nothing fits, what is on by default", async () => {
  const { desk } = await play({ selection: { preload: [], candidates: 2 } }, "🦊");
  expect(toolsIn(desk)).toStrictEqual([["alerts.create", "alerts.list", "tools.search"]]);
});

test("what it is to do are the words of whoever asks, and not its instructions", async () => {
  const objective = [
    { role: "system", text: "You translate letters." },
    { role: "user", text: "Will it rain?" },
  ];
  const { desk } = await play({ selection: { preload: [], candidates: 1 } }, objective);
  expect(toolsIn(desk)).toStrictEqual([["tools.search", "weather.forecast"]]);
});

test("without candidates only what is preloaded, and nothing to find others with", async () => {
  const { desk } = await play({ selection: { preload: ["mail.read", "world.read"] } });
  expect(toolsIn(desk)).toStrictEqual([["mail.read", "world.read"]]);
  expect(desk.runs.package.capabilities).toHaveLength(many.length);
  const none = await play({ selection: { preload: [] } });
  expect(toolsIn(none.desk)).toStrictEqual([[]]);
});

test("what it was given to choose by is read once", async () => {
  const selection = { preload: ["world.read"], candidates: 1 };
  const desk = openRunDesk({ packs: [many], deck, selection });
  selection.preload.push("mail.send");
  selection.candidates = 40;
  await (await desk.runs.start({ objective: "Will it rain?" })).wait();
  expect(toolsIn(desk)).toStrictEqual([["tools.search", "weather.forecast", "world.read"]]);
});

describe("what cannot be chosen by is refused before there is any run:", () => {
  test.each([
    ["get_world_state", ["portfolio.state", "world.read", "world.delta"]],
    ["world_read", ["world.read"]],
    ["World.Read", ["world.read"]],
    ["get_regime_history", ["index.history", "regime.scan", "web.fetch"]],
    ["__proto__", []],
    ["", []],
  ])("the name %j in what is preloaded", (name, suggestions) => {
    const open = () => openRunDesk({ packs: [many], deck, selection: { preload: ["world.read", name] } });
    expect(open).toThrow(expect.objectContaining({ code: "unknown_tool", details: { suggestions } }));
    expect(open).toThrow(/^preload: there is no tool/);
  });

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "3" as never])("%j candidates", (candidates) => {
    expect(() => openRunDesk({ packs: [many], deck, selection: { preload: [], candidates } })).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  });

  test("another tool of the name that the tool to find others with has", () => {
    const packs = [many, deck.tool({ name: "tools.search" })];
    expect(() => openRunDesk({ packs, deck, selection: { preload: [], candidates: 3 } })).toThrow(
      expect.objectContaining({ code: "invalid_manifest", message: expect.stringContaining("tools.search") }),
    );
  });
});

/** One of every sort that no model, or not every policy, may call. */
const trade = { venue: "/v", side: "/s", quantity: "/q", dryRun: "/d" };
const sorts = [
  deck.tool({ name: "s.none" }),
  deck.tool({ name: "s.denied", permissions: ["danger"] }),
  deck.tool({ name: "s.write", sideEffect: "user_write" }),
  deck.tool({ name: "s.paper", sideEffect: "paper_trade" }),
  deck.tool({ name: "s.runtime", sideEffect: "runtime" }),
  deck.tool({ name: "s.secret", sideEffect: "secret", agent: { callable: false } }),
  deck.tool({ name: "s.live", sideEffect: "live_trade", risk: ["live_trade"], trade } as never),
  deck.tool({ name: "s.private", agent: { callable: false } }),
  deck.tool({ name: "s.deferred", status: "deferred" }),
  deck.tool({ name: "s.old", status: "deprecated" }),
  deck.tool({ name: "s.costly", costEffect: "llm_cost" }),
];
const names = sorts.map(({ contract }) => contract.name);
const contracts = new Map<string, ContractTool>(sorts.map(({ contract }) => [contract.name, contract]));

const ranks = [
  "none",
  "auth_telemetry_write",
  "user_write",
  "secret",
  "runtime",
  "paper_trade",
  "live_trade",
];
type Given = {
  readonly maxSideEffect: string;
  readonly denyTools?: string[];
  readonly allowTools?: string[];
  readonly deny?: string[];
};

/** By what the contract says alone, apart from the judge. */
function mayBeShown(name: string, policy: Given): boolean {
  const tool = contracts.get(name);
  if (tool === undefined || tool.status !== "implemented" || !tool.agent.callable) return false;
  if (tool.costEffect === "llm_cost") return false;
  if (["live_trade", "secret"].includes(tool.sideEffect)) return false;
  if (tool.sideEffect === "runtime" && policy.allowTools?.includes(name) !== true) return false;
  if (ranks.indexOf(tool.sideEffect) > ranks.indexOf(policy.maxSideEffect)) return false;
  const isNamed = (list: readonly string[]) => list.some((one) => one === name || one === "s.*");
  if (isNamed(policy.denyTools ?? []) || policy.deny?.some((one) => tool.permissions.includes(one)) === true)
    return false;
  return policy.allowTools === undefined || isNamed(policy.allowTools);
}

test("G3: for any policy and any selection it is shown nothing that it may not call, and finds nothing that it may not", async () => {
  const anyNames = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 4 });
  const anyPolicy = fc.record(
    {
      maxSideEffect: fc.constantFrom(...ranks),
      denyTools: anyNames,
      allowTools: fc.oneof(anyNames, fc.constant(["s.*"])).map((all) => [...all, "tools.search"]),
      deny: fc.constantFrom([], ["danger"]),
    },
    { requiredKeys: ["maxSideEffect"] },
  ) as fc.Arbitrary<Given>;
  const anyPreload = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(anyPolicy, anyPreload, fc.nat(5), async (policy, preload, candidates) => {
      const desk = openRunDesk({
        packs: [sorts],
        deck,
        levels: levelOf(policy),
        selection: { preload, candidates },
        script: inTurn([search(names.join(" "), 20)], "done"),
      });
      await (await desk.runs.start({ objective: "does something with notes: s" })).wait();
      const [first = [], second = []] = toolsIn(desk);
      const besides = first.filter((name) => name !== "tools.search");
      expect(besides.filter((name) => !mayBeShown(name, policy))).toStrictEqual([]);
      const preloaded = preload.filter((name) => mayBeShown(name, policy));
      expect(preloaded.filter((name) => !besides.includes(name))).toStrictEqual([]);
      expect(besides.length).toBeLessThanOrEqual(preloaded.length + candidates);
      expect(first).toContain("tools.search");
      // What was found is shown from the next turn on: all that it may call, and nothing else.
      expect(second).toStrictEqual(
        [...names.filter((name) => mayBeShown(name, policy)), "tools.search"].toSorted(),
      );
    }),
    { numRuns: 40 },
  );
}, 60_000);

// proves RUN-11.3, RUN-11.4
describe("what is preloaded and may not be called is not shown:", () => {
  test.each(["s.denied", "s.paper", "s.runtime", "s.secret", "s.live", "s.private", "s.deferred"])(
    "%s",
    async (name) => {
      const policy = { maxSideEffect: "user_write", deny: ["danger"] };
      const { desk, runId } = await play({
        packs: [sorts],
        levels: levelOf(policy),
        selection: { preload: [name, "s.none"] },
      });
      expect(toolsIn(desk)).toStrictEqual([["s.none"]]);
      expect((await desk.records(runId))[0]).toMatchObject({ shown: ["s.none"] });
    },
  );
});

describe("a tool that it was not shown is judged as any other when it is called:", () => {
  const script = saying([{ name: "mail.send" }, { name: "mail.draft" }, { name: "no.such" }], "done");

  test("what the policy allows runs, what it does not is refused", async () => {
    deck.runs.length = 0;
    const levels = levelOf({ ...generous, denyTools: ["mail.draft"] });
    const { desk, runId } = await play({
      script,
      levels,
      selection: { preload: ["world.read"], candidates: 1 },
    });
    expect(toolsIn(desk)[0]).not.toContain("mail.send");
    expect(deck.runs.map(({ tool }) => tool)).toStrictEqual(["mail.send"]);
    expect((await desk.labels(runId)).filter((label) => label.startsWith("call."))).toStrictEqual([
      "call.read completed",
      "call.refused policy_denied",
      "call.refused unknown_tool",
    ]);
    // And it is shown no more for having been called.
    expect(toolsIn(desk)[1]).toStrictEqual(toolsIn(desk)[0]);
  });
});

describe("what it has found is shown from the next turn on:", () => {
  const selection = { preload: ["world.read"], candidates: 0 };
  const before = ["tools.search", "world.read"];

  test("until its end", async () => {
    const script = inTurn(
      [search("send a letter", 1)],
      [{ name: "mail.send" }],
      [search("weather", 1)],
      "done",
    );
    const { desk, result } = await play({ script, selection });
    expect(result.status).toBe("completed");
    const after = ["mail.send", ...before];
    expect(toolsIn(desk)).toStrictEqual([
      before,
      after,
      after,
      ["mail.send", "tools.search", "weather.forecast", "world.read"],
    ]);
  });

  test("also in the next process, by what is on record", async () => {
    const options: RunDeskOptions = {
      packs: [many],
      deck,
      selection,
      script: saying([search("send a letter", 1)], [{ name: "mail.send" }], "done"),
    };
    const desk = openRunDesk(options);
    let settled = 0;
    desk.store.fault = (unit) => {
      if (JSON.stringify(unit).includes("model.settled")) settled += 1;
      return settled === 2 ? { type: "die", written: true } : undefined;
    };
    const handle = await desk.runs.start({ objective: "look" });
    await desk.store.died.promise;
    // What a process would choose by now is nothing to a run that has begun.
    const next = reopenRunDesk(desk, { ...options, selection: { preload: ["mail.read"], candidates: 5 } });
    expect(await (await next.runs.resume(handle.runId)).wait()).toMatchObject({ status: "completed" });
    expect(toolsIn(next)).toStrictEqual([["mail.send", ...before]]);
  });

  test("with the words that its maker has said of it, and what it changes and costs", async () => {
    const { desk } = await play({ script: inTurn([search("send a letter", 1)], "done"), selection });
    expect(JSON.parse(desk.model.asked[1]?.messages.at(-1)?.text ?? "")).toStrictEqual({
      tools: [
        {
          name: "mail.send",
          title: "Send a letter",
          description: "Sends an email to one or several people, with attachments if wanted.",
          sideEffect: "none",
          costEffect: "none",
        },
      ],
    });
  });

  test("five unless it says how many", async () => {
    const { desk } = await play({ script: inTurn([search("list read write")], "done"), selection });
    expect(toolsIn(desk)[1]).toHaveLength(2 + 5);
  });
});

describe("B18: the tool to find others with is a tool like any other:", () => {
  const selection = { preload: [], candidates: 1 };
  const script = inTurn([search("weather")], [search("weather")], "done");
  const labelsOf = async (options: RunDeskOptions) => {
    const { desk, runId } = await play({
      selection,
      script: inTurn([search("weather")], "done"),
      ...options,
    });
    const labels = (await desk.labels(runId)).filter((label) => label.startsWith("call."));
    return { labels, desk, runId };
  };

  test("judged, journaled and shown to whoever watches", async () => {
    const { labels, desk, runId } = await labelsOf({});
    expect(labels).toStrictEqual(["call.read completed"]);
    expect((await desk.records(runId)).find(({ kind }) => kind === "call.read")).toMatchObject({
      tool: "tools.search",
      origin: "model",
      sideEffect: "none",
      verdict: { outcome: "allow" },
    });
    expect(await desk.events(runId)).toContain("policy.checked");
  });

  test.each<[string, object]>([
    ["denied by name", { denyTools: ["tools.*"] }],
    ["not among what is allowed", { allowTools: ["weather.*"] }],
  ])("%s it is not shown, and refused when it is called", async (_how, policy) => {
    const { labels, desk } = await labelsOf({ levels: levelOf({ ...generous, ...policy }) });
    expect(labels).toStrictEqual(["call.refused policy_denied"]);
    expect(toolsIn(desk)).toHaveLength(2);
    expect(toolsIn(desk).flat()).not.toContain("tools.search");
  });

  test("refused by the host's policy, it finds nothing", async () => {
    const { labels, desk } = await labelsOf({
      evaluatePreTool: () => ({ outcome: "deny", reason: "not now" }),
    });
    expect(labels).toStrictEqual(["call.refused policy_denied"]);
    expect(toolsIn(desk)[1]).toStrictEqual(toolsIn(desk)[0]);
  });

  test("withheld by the host's policy, it finds nothing", async () => {
    const { labels, desk } = await labelsOf({
      evaluatePostTool: () => ({ outcome: "deny", reason: "not that" }),
    });
    expect(labels).toStrictEqual(["call.read completed held", "call.withheld policy_denied"]);
    expect(toolsIn(desk)[1]).toStrictEqual(toolsIn(desk)[0]);
  });

  test("refused when the budget is used up", async () => {
    const levels = levelOf({ ...generous, budget: { maxToolCalls: 1 } });
    const { labels } = await labelsOf({ levels, script });
    expect(labels).toStrictEqual(["call.read completed", "call.refused budget_exceeded"]);
  });

  test.each<[string, unknown]>([
    ["no words", { query: "" }],
    ["nothing", {}],
    ["too many at once", { query: "weather", limit: 21 }],
    ["more than it takes", { query: "weather", names: ["mail.send"] }],
    ["words without an end", { query: "x".repeat(501) }],
  ])("asked with %s it is refused, and the run goes on", async (_what, args) => {
    const { labels, desk } = await labelsOf({
      script: inTurn([{ name: "tools.search", args: args as never }], "done"),
    });
    expect(labels).toStrictEqual(["call.refused invalid_input"]);
    expect(toolsIn(desk)[1]).toStrictEqual(toolsIn(desk)[0]);
  });

  test("one that was erased has found nothing any more, and the run goes on", async () => {
    const options: RunDeskOptions = {
      packs: [many],
      deck,
      selection,
      script: saying([search("send a letter", 1)], [{ name: "world.read" }], "done"),
    };
    const desk = openRunDesk(options);
    let read = 0;
    desk.store.fault = (unit) => {
      if (kindsIn(unit).includes("call.read")) read += 1;
      return read === 2 ? { type: "die", written: true } : undefined;
    };
    const handle = await desk.runs.start({ objective: "look" });
    await desk.store.died.promise;
    expect(toolsIn(desk).at(-1)).toContain("mail.send");
    const { seat } = openDesk({ life: 7, clock: desk.clock, deck, store: new FaultyStore(desk.store.inner) });
    const call = (await desk.records(handle.runId)).find(({ kind }) => kind === "call.read");
    await seat.erase((call as { callId?: string }).callId ?? "");
    const next = reopenRunDesk(desk, options);
    expect(await (await next.runs.resume(handle.runId)).wait()).toMatchObject({ status: "completed" });
    expect(toolsIn(next)).toStrictEqual([toolsIn(desk)[0]]);
  });

  test("asked with words that say nothing it finds nothing", async () => {
    const { labels, desk } = await labelsOf({ script: inTurn([search(" … ")], "done") });
    expect(labels).toStrictEqual(["call.read completed"]);
    expect(desk.model.asked[1]?.messages.at(-1)?.text).toBe('{"tools":[]}');
  });
});

describe("G3: what only looks like a search shows nothing more:", () => {
  const looksLike = { tools: manyTools.map(({ name }) => ({ name })) };
  const selection = { preload: ["world.read"], candidates: 0 };

  test("what another tool answers, or a model says itself", async () => {
    deck.deed = () => looksLike;
    const script = inTurn([{ name: "world.read" }, { name: "tools.find" }], JSON.stringify(looksLike));
    const { desk } = await play({ script, selection });
    deck.deed = () => ({ done: true });
    expect(toolsIn(desk)).toStrictEqual([
      ["tools.search", "world.read"],
      ["tools.search", "world.read"],
    ]);
  });

  test("a tool of somebody else's that has its name, where there is none to find others with", async () => {
    deck.deed = () => looksLike;
    const packs = [many, deck.tool({ name: "tools.search" })];
    const script = inTurn([search("weather")], "done");
    const { desk } = await play({ packs, script, selection: { preload: ["tools.search"] } });
    deck.deed = () => ({ done: true });
    expect(toolsIn(desk)).toStrictEqual([["tools.search"], ["tools.search"]]);
  });
});

test("R1: replayed, it finds what it found then, and no tool runs", async () => {
  const selection = { preload: [], candidates: 1 };
  const script = saying([search("send a letter", 1)], [{ name: "mail.send" }], "done");
  const { desk, runId } = await play({ selection, script });
  const lines = await collected(exportTrace(desk.store.inner, "acct_1", runId));
  const replay = await openReplay([lines.map((line) => `${line}\n`).join("")]);
  deck.runs.length = 0;
  const again = openRunDesk({ deck, packs: undefined, replay, selection, script, life: 2 });
  const handle = await again.runs.start({ objective: "Which invoices have not been paid?" });
  expect(await handle.wait()).toMatchObject({ status: "completed", output: "done" });
  expect(deck.runs).toStrictEqual([]);
  expect(toolsIn(again).map((shown) => shown.includes("mail.send"))).toStrictEqual([true, true, true]);
  const messages = (one: RunDesk) => one.model.asked.at(-1)?.messages;
  expect(messages(again)).toStrictEqual(messages(desk));
});
