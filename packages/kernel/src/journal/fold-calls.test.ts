// A run's state is always the fold of its journal: live, after a crash and in a trace it is the same code.
import type { CallId, JournalRecordKind } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fates, journalOf } from "../../test-data/call-journal.ts";
import { type CallsState, callTransitions, foldCalls } from "./fold-calls.ts";
import type { VerifiedRecord } from "./verify-stream.ts";

const fold = (records: readonly VerifiedRecord[], from: CallsState = new Map()): CallsState => {
  let state: CallsState = new Map(from);
  for (const record of records) state = foldCalls(state, record);
  return state;
};

test("the same journal folds to the same state from any prefix", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 5 }), async (met) => {
      const records = await journalOf(met);
      const whole = fold(records);
      for (let cut = 0; cut <= records.length; cut++) {
        const before = fold(records.slice(0, cut));
        expect([...before]).toStrictEqual([...fold(records.slice(0, cut))]);
        expect([...fold(records.slice(cut), before)]).toStrictEqual([...whole]);
      }
    }),
    { numRuns: 40 },
  );
});

test("a journal says of every call how it stands", async () => {
  const states = [...fold(await journalOf(fates)).values()];
  const said = states.map(({ status, output, attempts, opening }) => [
    opening.tool,
    status,
    output,
    attempts,
  ]);
  expect(said).toStrictEqual([
    ["notes.write", "completed", "released", 1],
    ["notes.read", "completed", "released", 1],
    ["notes.search", "completed", "released", 1],
    ["notes.write", "refused", "none", 0],
    ["notes.unheard_4", "refused", "none", 0],
    ["notes.strict", "refused", "none", 0],
    ["notes.write", "failed", "none", 1],
    ["notes.read", "failed", "none", 1],
    ["notes.write", "timed_out", "none", 1],
    ["notes.write", "timed_out", "none", 1],
    ["notes.write", "cancelled", "none", 1],
    ["notes.write", "unknown", "none", 1],
    ["notes.write", "completed", "none", 1],
    ["notes.write", "completed", "withheld", 1],
    ["notes.strict", "completed", "free", 1],
    ["notes.sign", "completed", "released", 1],
    ["notes.write", "completed", "released", 1],
    ["notes.write", "repeated", "none", 0],
    ["notes.pay", "completed", "released", 1],
    ["notes.pay", "refused", "none", 0],
    ["notes.pay", "refused", "none", 0],
  ]);
});

/** The table, once more and by hand: what may follow what. */
const mayFollow: Readonly<Record<string, readonly string[]>> = {
  nothing: ["call.refused", "call.waiting", "call.intended", "call.read", "call.repeated", "call.resolved"],
  refused: [],
  waiting: ["call.refused", "call.intended", "call.repeated"],
  "denied elsewhere": ["call.waiting"],
  repeated: [],
  intended: ["call.retried", "call.settled"],
  completed: [],
  "completed held": ["call.released", "call.withheld"],
  failed: [],
  cancelled: ["call.late"],
  timed_out: ["call.late"],
  "timed_out late": [],
  unknown: ["call.resolved"],
};

describe("J4: an order that cannot have happened is refused:", async () => {
  const samples = await samplesOfEveryKind();
  const ways = waysTo(samples);

  test.each(Object.keys(mayFollow))("after %s", (state) => {
    const path = ways[state] ?? [];
    const accepted = [...samples.keys()].filter((kind) => {
      const record = samples.get(kind) as VerifiedRecord;
      return refusalOf(() => fold([...path, record])) === undefined;
    });
    expect(accepted.toSorted()).toStrictEqual((mayFollow[state] ?? []).toSorted());
  });

  test("the table of the code has no kind that is not tried here", () => {
    expect(new Set(Object.keys(callTransitions))).toStrictEqual(new Set(samples.keys()));
  });
});

test("records about no call change nothing", async () => {
  const [opened] = await journalOf([]);
  expect(opened).toBeUndefined();
  const [first] = await journalOf(["read"]);
  expect(fold([first as VerifiedRecord])).toStrictEqual(new Map());
});

/** Why a fold is refused; anything but a refusal is thrown on. */
function refusalOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    const { code, details } = error as { code?: string; details?: { reason?: string } };
    if (code !== "invalid_transition" || details?.reason !== "impossible_record") throw error;
    return code;
  }
  return undefined;
}

/** One record of every kind, all made out to be about one call. */
async function samplesOfEveryKind(): Promise<Map<string, VerifiedRecord>> {
  const records = await journalOf([
    "done",
    "read",
    "refused",
    "late",
    "resolved",
    "withheld",
    "repeated",
    "approved",
  ]);
  const found = new Map<string, VerifiedRecord>();
  for (const one of records) {
    if ("callId" in one.record && !found.has(one.record.kind)) found.set(one.record.kind, sameCall(one));
  }
  const settled = found.get("call.settled") as VerifiedRecord;
  const retried = { ...settled.record, kind: "call.retried", attempt: 2 } as never;
  found.set("call.retried", { ...settled, record: retried });
  return found;
}

function sameCall(one: VerifiedRecord): VerifiedRecord {
  return { ...one, record: { ...one.record, callId: "call_00000000" as CallId } as VerifiedRecord["record"] };
}

function waysTo(
  samples: ReadonlyMap<string, VerifiedRecord>,
): Readonly<Record<string, readonly VerifiedRecord[]>> {
  const of = (kind: JournalRecordKind) => samples.get(kind) as VerifiedRecord;
  const settled = (changes: object): VerifiedRecord => {
    const { held: _, ...plain } = of("call.settled").record as { held?: true } & VerifiedRecord["record"];
    return { ...of("call.settled"), record: { ...plain, ...changes } };
  };
  const intended = of("call.intended");
  return {
    nothing: [],
    refused: [of("call.refused")],
    waiting: [of("call.waiting")],
    "denied elsewhere": [intended, settled({ status: "denied_before_execution" })],
    repeated: [of("call.repeated")],
    intended: [intended],
    completed: [intended, settled({ status: "completed" })],
    "completed held": [intended, settled({ status: "completed", held: true })],
    failed: [intended, settled({ status: "failed" })],
    cancelled: [intended, settled({ status: "cancelled" })],
    timed_out: [intended, settled({ status: "timed_out" })],
    "timed_out late": [intended, settled({ status: "timed_out" }), of("call.late")],
    unknown: [intended, settled({ status: "unknown" })],
  };
}
