// Journals of real calls with every kind of end, to be folded, read, cut and forged.
import { hashText, journalRecordSchema, parseJsonStrict, RecoveryNeededError } from "@spfunctions/contracts";
import type { CallOutcome } from "../src/call/call-host.ts";
import type { VerifiedRecord } from "../src/journal/verify-stream.ts";
import type { Store, StoredRecord } from "../src/store/store.ts";
import { operatorOf, pending } from "./call-approvals.ts";
import { type Desk, type DeskOptions, openDesk, receiptOf, storedIn } from "./call-desk.ts";
import { until } from "./call-waiting.ts";

/** What a call can come to. */
export const fates = [
  "done",
  "read",
  "paid read",
  "refused",
  "unknown tool",
  "bad input",
  "failed",
  "failed read",
  "late",
  "timed out",
  "cancelled",
  "unknown",
  "resolved",
  "withheld",
  "invalid output",
  "secret",
  "repeated",
  "approved",
  "denied",
  "asked",
] as const;
export type Fate = (typeof fates)[number];

/** What says so is asked about. */
const policy = {
  maxSideEffect: "user_write",
  maxCostEffect: "llm_cost",
  approvals: { requireForCostEffectAtOrAbove: "llm_cost" },
} as const;

/** A desk whose host holds back what says that it is to be withheld. */
export function openBook(options: DeskOptions = {}): Desk {
  return openDesk({
    levels: [{ level: "agent", policy }],
    evaluatePostTool: ({ output }) =>
      (output as { withhold?: boolean } | null)?.withhold === true
        ? { outcome: "deny" }
        : { outcome: "allow" },
    ...options,
  });
}

/** Makes one call come to its fate. `n` tells calls apart. */
export async function meet(desk: Desk, fate: Fate, n: number): Promise<void> {
  const write = { tool: "notes.write", input: { n } };
  const { deck, clock } = desk;
  deck.deed = () => ({ answer: n });
  switch (fate) {
    case "done":
      return void (await desk.call(write));
    case "read":
      return void (await desk.call({ tool: "notes.read", input: { n } }));
    case "paid read":
      return void (await desk.call({ tool: "notes.search", input: { n } }));
    case "refused":
      return void (await desk.call({ ...write, signal: AbortSignal.abort() }));
    case "unknown tool":
      return void (await desk.call({ tool: `notes.unheard_${n}` }));
    case "bad input":
      return void (await desk.call({ tool: "notes.strict", input: { n } }));
    case "failed":
    case "failed read":
      deck.deed = () => {
        throw new Error(`the venue is closed (${n})`);
      };
      return void (await desk.call({ ...write, tool: fate === "failed" ? "notes.write" : "notes.read" }));
    case "late":
    case "timed out":
    case "cancelled":
      return await end(desk, fate, n);
    case "unknown":
    case "resolved":
      deck.deed = () => {
        throw new RecoveryNeededError(`nobody saw how ${n} ended`);
      };
      return await leave(desk, await desk.call(write), fate);
    case "withheld":
      deck.deed = () => ({ withhold: true, n });
      return void (await desk.call(write));
    case "invalid output":
      return void (await desk.call({ tool: "notes.strict", input: { text: `${n}` } }));
    case "secret":
      return void (await desk.call({
        tool: "notes.sign",
        input: { n, apiKey: `sk-proj-${"Ab1".repeat(14)}${n}` },
      }));
    case "repeated":
      await desk.call({ ...write, idempotencyKey: `key-${n}` });
      return void (await desk.call({ ...write, idempotencyKey: `key-${n}` }));
    case "approved":
    case "denied":
      return await decide(desk, fate, n);
    case "asked":
      return void (await desk.call({ tool: "notes.pay", input: { n } }));
    default:
      throw new Error("no such fate");
  }

  async function end(at: Desk, how: "late" | "timed out" | "cancelled", which: number): Promise<void> {
    const answer = Promise.withResolvers<unknown>();
    const controller = new AbortController();
    deck.deed = () => answer.promise;
    const ran = deck.runs.length;
    const call = at.call({ tool: "notes.write", input: { n: which }, signal: controller.signal });
    await until(() => deck.runs.length > ran);
    if (how === "cancelled") controller.abort();
    else clock.advance(60_000);
    await call;
    if (how !== "late") return;
    const written = at.store.units.length;
    answer.resolve({ late: which });
    await until(() => at.store.units.length > written, "the note");
  }
}

/** How many operators have answered on a store: each is a process of its own. */
const operators = new WeakMap<Store, number>();

async function decide(desk: Desk, how: "approved" | "denied", n: number): Promise<void> {
  const life = (operators.get(desk.store.inner) ?? 40) + 1;
  operators.set(desk.store.inner, life);
  const operator = operatorOf(desk, { life });
  const outcome = desk.call({ tool: "notes.pay", input: { n }, asking: "wait" });
  const { approvalId } = await pending(operator, ({ input }) => (input as { n: number }).n === n);
  if (how === "approved") await operator.approve(approvalId);
  else await operator.deny(approvalId, { note: `not ${n}` });
  await operator.close();
  await outcome;
}

/** Leaves it unknown, or decides about it: about this one, as another desk of the account may decide about its own. */
async function leave({ seat }: Desk, outcome: CallOutcome, fate: "unknown" | "resolved"): Promise<void> {
  if (fate === "unknown") return;
  const { callId } = receiptOf(outcome);
  const effect = (await seat.unknown()).find((one) => one.callId === callId);
  await seat.resolve(effect?.effectId ?? "", { status: "completed", note: "it was seen at the venue" });
}

/** A stored record as verification hands it on. */
function verified({ text, content }: StoredRecord): VerifiedRecord {
  return {
    record: journalRecordSchema.parse(parseJsonStrict(text)),
    hash: hashText(text),
    content,
  };
}

/** The records of calls with these fates, in order. */
export async function journalOf(met: readonly Fate[]): Promise<VerifiedRecord[]> {
  const book = openBook();
  for (const [n, fate] of met.entries()) {
    await meet(book, fate, n);
  }
  return (await storedIn(book.store.inner)).map(verified);
}
