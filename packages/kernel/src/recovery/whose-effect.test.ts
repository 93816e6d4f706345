// I1: recovery runs nobody's effect for anybody else. X1: whatever lies in a journal, what has no end gets one or is left to somebody
// who can give it one, and what is known of an effect is kept.
import { journalRecordSchema, parseJsonStrict, RecoveryNeededError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import type { Deed } from "../../test-data/call-deck.ts";
import {
  codeOf,
  type Desk,
  type DeskOptions,
  openDesk,
  principalOf,
  reopenDesk,
  storedIn,
} from "../../test-data/call-desk.ts";
import { countingIds } from "../../test-data/call-ids.ts";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import type { EvaluatePreTool } from "../call/ask-policy.ts";
import { draftContent, draftRecord, type RecordDraft } from "../journal/record-draft.ts";
import { openSegment } from "../journal/segment.ts";

/** A process that dies in the middle of a call, in which its tool has seen nothing. */
async function crashIn(tool: string, options: DeskOptions = {}): Promise<Desk> {
  const desk = openDesk(options);
  desk.store.fault = atFirst("call.intended", { type: "die", written: true });
  void desk.call({ tool, input: { n: 1 }, idempotencyKey: "k" });
  await desk.store.died.promise;
  return desk;
}

describe("I1: an effect that could be run again or asked for is left by somebody else, who is told whose it is:", () => {
  test.each([
    ["another key of the account", { keyId: "key_2" }],
    ["a key that may do more", { keyId: "key_admin", scopes: ["read", "write", "trade", "admin"] as const }],
    ["a caller of another kind under the same key", { kind: "key" as const }],
  ])("%s", async (_, changes) => {
    for (const tool of ["notes.put", "notes.send", "notes.check"]) {
      const desk = await crashIn(tool);
      const asked: unknown[] = [];
      const other = reopenDesk(desk, {
        clock: desk.clock,
        principal: principalOf("acct_1", changes),
        evaluatePreTool: (view) => {
          asked.push(view);
          return { outcome: "allow" };
        },
      });
      const { settled } = await other.seat.open();
      expect(settled).toStrictEqual([
        {
          callId: "call_00000001-0000-4000-8000-000000000001",
          effectId: "eff_00000001-0000-4000-8000-000000000001",
          tool,
          outcome: "left",
          by: "nobody",
          keyId: "key_1",
          reason: "it was called by key_1, and is settled when that key comes again",
        },
      ]);
      expect([other.deck.runs, other.deck.asked, asked]).toStrictEqual([[], [], []]);
      expect(codeOf(await other.call({ tool: "notes.read" }))).toBe("completed");
      await other.seat.close();
      const own = reopenDesk(desk, { life: 3, clock: desk.clock });
      const [mine] = (await own.seat.open()).settled;
      expect(mine?.outcome).toBe(tool === "notes.check" ? "unknown" : "completed");
    }
  });

  test("the same key may have other scopes today: then they are what is judged by", async () => {
    const desk = await crashIn("notes.put", { principal: principalOf("acct_1", { scopes: ["write"] }) });
    const next = reopenDesk(desk, { principal: principalOf("acct_1", { scopes: ["write", "read"] }) });
    expect((await next.seat.open()).settled).toMatchObject([{ outcome: "completed", by: "retry" }]);
  });
});

const answers: readonly (readonly [string, EvaluatePreTool, string])[] = [
  ["allows it", () => ({ outcome: "allow" }), "completed"],
  ["denies it", () => ({ outcome: "deny", reason: "not today" }), "left"],
  ["asks for a person", () => ({ outcome: "ask" }), "left"],
  ["answers garbage", () => ({ outcome: "yes" }) as never, "left"],
  [
    "throws",
    () => {
      throw new Error("out of order");
    },
    "left",
  ],
];

describe("a host's policy of today is asked before an effect is run again, and", () => {
  test.each(answers)("%s", async (_, evaluatePreTool, outcome) => {
    const desk = await crashIn("notes.put");
    const views: unknown[] = [];
    const next = reopenDesk(desk, {
      evaluatePreTool: (view) => {
        views.push([view.callId, view.tool, view.input, view.principal.keyId]);
        return evaluatePreTool(view);
      },
    });
    expect((await next.seat.open()).settled).toMatchObject([{ tool: "notes.put", outcome }]);
    const callId = "call_00000001-0000-4000-8000-000000000001";
    expect(views).toStrictEqual([[callId, "notes.put", { n: 1 }, "key_1"]]);
    expect(next.deck.runs).toHaveLength(outcome === "completed" ? 1 : 0);
  });

  test("is asked before a tool is asked what became of one, too", async () => {
    const desk = await crashIn("notes.check");
    const next = reopenDesk(desk, { evaluatePreTool: () => ({ outcome: "deny" }) });
    expect((await next.seat.open()).settled).toMatchObject([{ outcome: "left" }]);
    expect(next.deck.asked).toStrictEqual([]);
  });
});

describe("X1: what the other side calls an operation is kept where it ends unknown:", () => {
  const names = { externalOperationId: "op-77", reconciliationRef: "GET /ops/77" };
  test.each<[string, () => unknown]>([
    ["the tool does not know", () => raise(new RecoveryNeededError("the venue hung up"))],
    ["it failed the second time", () => raise(new Error("closed"))],
  ])("%s", async (_, then) => {
    const desk = await crashIn("notes.put");
    const next = reopenDesk(desk, { deed: naming(then) });
    expect((await next.seat.open()).settled).toMatchObject([{ outcome: "unknown" }]);
    expect(await next.seat.unknown()).toMatchObject([{ tool: "notes.put", ...names }]);
    expect((await next.records()).at(-1)).toMatchObject({
      kind: "call.settled",
      status: "unknown",
      ...names,
    });
  });

  test("whoever was asked does not know either", async () => {
    const desk = await crashIn("notes.check");
    desk.deck.reconcile = naming(() => ({ status: "unknown" }));
    const next = reopenDesk(desk, { deck: desk.deck });
    await next.seat.open();
    expect(await next.seat.unknown()).toMatchObject([{ tool: "notes.check", ...names }]);
  });
});

/** Texts that are no payload; none of them was written by a call. */
const unreadable = [
  "",
  "{",
  "[1",
  "nothing",
  '{"a":1,"a":2}',
  "\u0000",
  `${"[".repeat(400)}${"]".repeat(400)}`,
];

describe("X1: a recorded payload that cannot be read stops nobody:", () => {
  test.each(unreadable.map((text) => [JSON.stringify(text).slice(0, 20), text]))(
    "of an input that is %s the effect is unknown",
    async (_, text) => {
      const desk = await forgedBeside(text, undefined);
      const next = reopenDesk(desk, { life: 3 });
      const opened = await settlement(next.seat.open());
      expect(opened).toMatchObject({
        state: "kept",
        value: {
          segments: 1,
          settled: [{ outcome: "unknown", reason: expect.stringMatching(/cannot be read/) }],
        },
      });
      expect(next.deck.runs).toStrictEqual([]);
      expect(await next.seat.unknown()).toHaveLength(1);
      expect(codeOf(await next.call({ tool: "notes.read" }))).toBe("completed");
      expect((await next.seat.verify()).status).toBe("open");
    },
  );

  test.each([
    ["an input", "{", '{"fine":1}'],
    ["an output", '{"fine":1}', "{"],
  ])("of %s the output that a policy was to look at is given to nobody", async (_, input, output) => {
    const desk = await forgedBeside(input, output);
    const next = reopenDesk(desk, { life: 3, evaluatePostTool: () => ({ outcome: "allow" }) });
    const opened = await settlement(next.seat.open());
    expect(opened).toMatchObject({
      state: "kept",
      value: { settled: [{ outcome: expect.stringMatching(/^(?:withheld|left)$/) }] },
    });
    expect(codeOf(await next.call({ tool: "notes.read" }))).toBe("completed");
  });
});

/** A journal in which somebody intends, with this text as input; with an output, it is held there for a policy. */
async function forgedBeside(input: string, output: string | undefined): Promise<Desk> {
  const desk = openDesk();
  await desk.call({ tool: "notes.put", input: { n: 1 } });
  await desk.seat.close();
  const [, intended, settled] = (await storedIn(desk.store.inner)).map(({ text }) =>
    journalRecordSchema.parse(parseJsonStrict(text)),
  );
  if (intended?.kind !== "call.intended" || settled?.kind !== "call.settled") throw new Error("no call");
  const host = { store: desk.store.inner, clock: desk.clock, ids: countingIds(7) };
  const writer = await openSegment(host, intended.principal.accountId, intended.toolDigest);
  const callId = "call_00000007-0000" as typeof intended.callId;
  const given = draftContent(intended.input.ref, "salt", input);
  const intent = { ...intended, callId, input: given.digest };
  const drafts: RecordDraft[] = [draftRecord("call.intended", intent, { content: [given.row] })];
  if (output !== undefined && settled.output !== undefined) {
    const got = draftContent(settled.output.ref, "salt", output);
    const end = { ...settled, callId, output: got.digest, held: true as const };
    drafts.push(draftRecord("call.settled", end, { content: [got.row] }));
  }
  await writer.write({ durability: "process", records: drafts });
  await desk.store.inner.release(writer.stream, writer.epoch);
  return { ...desk, store: new FaultyStore(desk.store.inner) };
}

/** Names its operation, and then does the rest. */
function naming(then: () => unknown): Deed {
  return (_input, { external }) => {
    external({ operationId: "op-77", reconciliationRef: "GET /ops/77" });
    return then();
  };
}

function raise(error: unknown): never {
  throw error;
}
