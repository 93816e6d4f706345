// B15: a host's policy has its say about an output each time it is given out, whoever has looked at it before, and what it said then
// is what is kept: a replay and a receipt say the same.
import { describe, expect, test } from "vitest";
import {
  codeOf,
  type Desk,
  kindsOf,
  openDesk,
  outputOf,
  reopenDesk,
  traceOf,
} from "../../test-data/call-desk.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import { verifyReceipt } from "../receipt/verify-receipt.ts";
import { openReplay } from "../replay/replay.ts";
import { readTrace } from "../trace/read-trace.ts";
import { traceEntries } from "../trace/trace-entries.ts";
import type { EvaluatePostTool } from "./ask-policy.ts";

const mark = "the-output-nobody-may-see";
const deed = () => ({ found: mark });
const keyed = { tool: "notes.write", input: { n: 1 }, idempotencyKey: "k" };
const deny: EvaluatePostTool = () => ({ outcome: "deny", reason: "not any more" });

const refusals: readonly (readonly [string, EvaluatePostTool])[] = [
  ["denies", deny],
  ["asks for a person", () => ({ outcome: "ask" })],
  ["answers garbage", () => ({ outcome: "allowed" }) as never],
  [
    "throws",
    () => {
      throw new Error("out of order");
    },
  ],
];

describe("the same key again, under a policy that was not there before and", () => {
  test.each(refusals)("%s: nobody gets the output", async (_, evaluatePostTool) => {
    const desk = openDesk({ deed });
    await desk.call(keyed);
    const other = openDesk({
      deck: desk.deck,
      store: new FaultyStore(desk.store.inner),
      life: 2,
      evaluatePostTool,
    });
    const again = await other.call(keyed);
    expect(again).toMatchObject({
      type: "failed",
      error: {
        code: "policy_denied",
        details: { tool: "notes.write", stage: "post_tool", effectExecuted: true },
      },
    });
    expect(again).not.toHaveProperty("receipt.outputHash");
    expect(JSON.stringify([again, other.events]).includes(mark)).toBe(false);
    expect(desk.deck.runs).toHaveLength(1);
    expect(other.events.at(-1)).toMatchObject({ type: "run.failed", error: { code: "policy_denied" } });
    expect((await other.records()).at(-1)).toMatchObject({
      kind: "call.repeated",
      error: { code: "policy_denied" },
    });
  });

  test("allows: the answer is given, and it was asked about what is given", async () => {
    const desk = openDesk({ deed });
    await desk.call(keyed);
    const seen: unknown[] = [];
    const next = reopenDesk(desk, {
      evaluatePostTool: (view) => {
        seen.push([view.tool, view.input, view.output]);
        return { outcome: "allow" };
      },
    });
    expect(outputOf(await next.call(keyed))).toStrictEqual({ found: mark });
    expect(seen).toStrictEqual([["notes.write", { n: 1 }, { found: mark }]]);
  });
});

test("a policy that has let an output go once is asked again, and its last word holds", async () => {
  const said: string[] = [];
  const desk = openDesk({
    deed,
    evaluatePostTool: () => {
      said.push("asked");
      return { outcome: said.length === 2 ? "deny" : "allow" };
    },
  });
  const codes = [await desk.call(keyed), await desk.call(keyed), await desk.call(keyed)].map(codeOf);
  expect(codes).toStrictEqual(["completed", "policy_denied", "completed"]);
  expect(said).toHaveLength(3);
});

test("what was withheld once stays withheld, and nobody is asked about it again", async () => {
  let asked = 0;
  const desk = openDesk({
    deed,
    evaluatePostTool: () => {
      asked += 1;
      return { outcome: asked === 1 ? "deny" : "allow" };
    },
  });
  const codes = [codeOf(await desk.call(keyed)), codeOf(await desk.call(keyed))];
  expect([codes, asked]).toStrictEqual([["policy_denied", "policy_denied"], 1]);
});

describe("what was answered to a key that came again, and was withheld then,", () => {
  test("is recorded so", async () => {
    const { desk, trace } = await withheldOnce();
    expect((await kindsOf(desk)).slice(1)).toStrictEqual([
      "call.intended",
      "call.settled",
      "call.released",
      "call.repeated",
    ]);
    expect(traceEntries(await readTrace(trace))).toMatchObject([
      { status: "completed", output: { found: mark } },
      { status: "failed", output: null, error: { code: "policy_denied" } },
    ]);
  });

  test("is withheld in a replay, too (R2)", async () => {
    const { desk, trace } = await withheldOnce();
    const replay = openDesk({ deck: desk.deck, life: 9, replay: await openReplay([trace]) });
    const { idempotencyKey: _, ...request } = keyed;
    const first = await replay.call(request);
    replay.events.length = 0;
    const second = await replay.call(request);
    expect([codeOf(first), codeOf(second)]).toStrictEqual(["completed", "policy_denied"]);
    expect(replay.events.at(-1)?.type).toBe("run.failed");
    expect(JSON.stringify([second, replay.events]).includes(mark)).toBe(false);
  });

  test("has a receipt that its own trace bears out", async () => {
    const { trace, receipt } = await withheldOnce();
    const { checks } = verifyReceipt(receipt, { trace: await readTrace(trace) });
    expect(checks.filter(({ result }) => result === "failed")).toStrictEqual([]);
  });
});

/** A call whose output was given out once, and not when its key came again. */
async function withheldOnce(): Promise<{ desk: Desk; trace: string; receipt: unknown }> {
  let isAllowed = true;
  const desk = openDesk({
    deed,
    evaluatePostTool: () => (isAllowed ? { outcome: "allow" } : { outcome: "deny" }),
  });
  await desk.call(keyed);
  isAllowed = false;
  const again = await desk.call(keyed);
  await desk.seat.close();
  const receipt = again.type === "completed" ? undefined : again.receipt;
  return { desk, trace: await traceOf(desk.seat), receipt };
}
