// G2, G3, A1: whatever hooks say, nothing runs that would not have run without them, unless they have changed its input, and then what runs
// was judged as it is. R1: where a run is only replayed, none of them is asked.
import {
  canonicalJson,
  type HookPhase,
  type HookPoint,
  hookPhases,
  hookPoints,
  type JsonValue,
} from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collected } from "../../test-data/call-desk.ts";
import {
  asking,
  atOnce,
  generous,
  levelOf,
  openRunDesk,
  type Proposal,
  put,
  read,
  type RunDesk,
  type RunDeskOptions,
  saying,
  storedRun,
  write,
} from "../../test-data/run-desk.ts";
import { hookAt, no, patching, Seen } from "../../test-data/run-hooks.ts";
import { openReplay } from "../replay/replay.ts";
import { exportTrace } from "../trace/export-trace.ts";

type Given = {
  readonly point: HookPoint;
  readonly phase: HookPhase;
  readonly answer: unknown;
};

const anyPatch = fc.array(
  fc.oneof(
    fc.record({
      op: fc.constantFrom("add", "replace", "test"),
      path: fc.constantFrom("", "/text", "/count", "/more"),
      value: fc.oneof(
        fc.constantFrom<JsonValue>("b", 1, { text: "c" }, {}),
        fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<JsonValue>,
      ),
    }),
    fc.record({ op: fc.constant("remove"), path: fc.constantFrom("/text", "/more") }),
  ),
  { maxLength: 3 },
);

const anyAnswer = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ outcome: "allow" }) },
  { weight: 4, arbitrary: fc.record({ outcome: fc.constant("allow"), patch: anyPatch }) },
  { weight: 2, arbitrary: fc.constant({ outcome: "deny", reason: "no" }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      { outcome: "approve" },
      { outcome: "allow", approved: true, isApproved: true, approvalId: "appr_0" },
      { outcome: "allow", verdict: { outcome: "allow" }, policy: { maxSideEffect: "live_trade" } },
    ),
  },
  { weight: 1, arbitrary: fc.anything() },
);

const anyHooks: fc.Arbitrary<Given[]> = fc.array(
  fc.record({
    point: fc.constantFrom(...hookPoints),
    phase: fc.constantFrom(...hookPhases),
    answer: anyAnswer,
  }),
  { maxLength: 4 },
);

const strict = (args: JsonValue): Proposal => ({ name: "notes.strict", args });
const anyCalls = fc.uniqueArray(
  fc.constantFrom(write("a"), put("a"), read, strict({ text: "a" }), strict({ text: 1 }), {
    name: "notes.no",
  }),
  { minLength: 1, maxLength: 4 },
);
const anyPolicy = fc.constantFrom(
  generous,
  asking,
  { maxSideEffect: "none" },
  { ...generous, denyTools: ["notes.put"] },
  { ...generous, budget: { maxToolCalls: 1 } },
);

/** A step with all these calls at once, so that none of them depends on another. */
async function play(options: RunDeskOptions): Promise<{ desk: RunDesk; runId: string }> {
  const desk = openRunDesk({
    strategy: atOnce(8),
    onHookFailure: () => {},
    deed: () => ({ id: "1" }),
    ...options,
  });
  const handle = await desk.start();
  await handle.wait({ for: "rest" });
  return { desk, runId: handle.runId };
}

const ranIn = ({ deck }: RunDesk) => deck.runs.map(({ tool, text }) => `${tool} ${text}`);

/** What calls were changed to, by what is on record. */
async function revisedIn({ store }: RunDesk, runId: string): Promise<Set<string>> {
  const stored = await storedRun(store.inner, runId);
  return new Set(
    stored.flatMap(({ text, content }) => {
      const { kind, tool, output } = JSON.parse(text) as {
        kind: string;
        tool: string;
        output: { ref: string };
      };
      if (kind !== "call.revised") return [];
      const row = content.find(({ ref }) => ref === output.ref);
      return row !== undefined && "text" in row ? [`${tool} ${row.text}`] : [];
    }),
  );
}

test("whatever hooks say, nothing runs that the judge would not let run as it is, and nothing else than is on record", async () => {
  await fc.assert(
    fc.asyncProperty(anyPolicy, anyCalls, anyHooks, async (policy, calls, given) => {
      const levels = levelOf(policy);
      const alone = async (proposed: readonly Proposal[]) =>
        proposed.length === 0 ? [] : ranIn((await play({ script: saying(proposed, "done"), levels })).desk);
      const before = await alone(calls);
      const hooks = given.map(({ point, phase, answer }, index) =>
        hookAt(point, () => answer, { id: `hook-${index}`, phase }),
      );
      const { desk, runId } = await play({ script: saying(calls, "done"), levels, hooks });
      const ran = ranIn(desk);
      const revised = await revisedIn(desk, runId);
      const changed = ran.filter((one) => !before.includes(one));
      // Where a budget lets one of them run, it may be another one, but no more of them.
      const isBounded = "budget" in policy;
      expect(ran.length).toBeLessThanOrEqual(isBounded ? 1 : calls.length);
      expect(changed.filter((one) => !isBounded && !revised.has(one))).toStrictEqual([]);
      const again = isBounded ? changed : await alone(changed.map(proposalOf));
      expect(again.toSorted()).toStrictEqual(changed.toSorted());
      // A1: nobody has approved anything.
      const intended = (await desk.records(runId)).filter(({ kind }) => kind === "call.intended");
      expect(intended.filter((record) => "approval" in record)).toStrictEqual([]);
    }),
    { numRuns: 100 },
  );
}, 120_000);

function proposalOf(ran: string): Proposal {
  const at = ran.indexOf(" ");
  return { name: ran.slice(0, at), args: JSON.parse(ran.slice(at)) as JsonValue };
}

describe("R1: in a replay", () => {
  const calls = [write("a"), put("b"), read];
  const recordedWith: RunDeskOptions = {
    script: saying(calls, "done"),
    deed: (input, _context, tool) => ({ tool, input }),
    hooks: [
      patching([{ op: "add", path: "/by", value: "hook" }]),
      hookAt("before_tool_call", ({ tool }) => (tool === "notes.put" ? no() : { outcome: "allow" })),
      hookAt("after_tool_call", ({ tool }) => (tool === "notes.read" ? no() : { outcome: "allow" })),
    ],
  };

  async function traced(): Promise<{ trace: string; desk: RunDesk }> {
    const { desk, runId } = await play({ ...recordedWith, strategy: { type: "sequential" } });
    const lines = await collected(exportTrace(desk.store.inner, "acct_1", runId));
    return { trace: lines.map((line) => `${line}\n`).join(""), desk };
  }

  test("no hook is asked, nothing runs, and the model is told what it was told", async () => {
    const { trace, desk } = await traced();
    const told = desk.model.asked.map(({ messages }) => canonicalJson(messages));
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"by":"hook","text":"a"}']);
    const seen = new Seen();
    const again = openRunDesk({
      ...recordedWith,
      life: 9,
      replay: await openReplay([trace]),
      hooks: hookPoints.map((point) => seen.at(point, no)),
    });
    const result = await (await again.start()).wait();
    expect(result).toMatchObject({ status: "completed", output: "done" });
    expect([seen.views, again.deck.runs]).toStrictEqual([[], []]);
    expect(again.model.asked.map(({ messages }) => canonicalJson(messages))).toStrictEqual(told);
  });

  test("a hook needs no function", async () => {
    const { trace } = await traced();
    const hooks = [{ id: "guard", version: "1", point: "before_model" }] as never;
    const again = openRunDesk({ ...recordedWith, life: 9, replay: await openReplay([trace]), hooks });
    expect((await (await again.start()).wait()).status).toBe("completed");
  });
});
