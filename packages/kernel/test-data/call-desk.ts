// A seat with everything about it at hand: its clock, its store, its tools, and what it has written and shown.
import {
  type AgentEvent,
  agentEventSchema,
  type JournalRecord,
  journalRecordSchema,
  parseJsonStrict,
  type Receipt,
  receiptSchema,
} from "@spfunctions/contracts";
import type { CallOutcome, CallRequest } from "../src/call/call-host.ts";
import { openInstallation } from "../src/installation/installation.ts";
import { segmentsOf } from "../src/journal/verify-account.ts";
import type { GivenPrincipal } from "../src/seat/given-principal.ts";
import { Seat, type SeatOptions } from "../src/seat/seat.ts";
import type { Store, StoredRecord } from "../src/store/store.ts";
import { exportTrace } from "../src/trace/export-trace.ts";
import { ManualClock } from "./call-clock.ts";
import { type Deck, type Deed, sharedDeck } from "./call-deck.ts";
import { countingIds } from "./call-ids.ts";
import { FaultyStore } from "./call-store.ts";

export const installation = openInstallation(new Uint8Array(32).fill(7));
export const otherInstallation = openInstallation(new Uint8Array(32).fill(8));

export function principalOf(accountId = "acct_1", changes: Partial<GivenPrincipal> = {}): GivenPrincipal {
  return {
    accountId,
    keyId: "key_1",
    scopes: ["read", "write", "trade", "admin"],
    kind: "local",
    ...changes,
  };
}

const generous = { maxSideEffect: "user_write", maxCostEffect: "llm_cost" } as const;

export type DeskOptions = Partial<Omit<SeatOptions, "store" | "clock">> & {
  /** Tools of its own; the shared ones unless given. */
  readonly deck?: Deck;
  /** What the shared tools do. */
  readonly deed?: Deed;
  readonly store?: FaultyStore;
  readonly clock?: ManualClock;
  /** Which process it is, where several share a store. */
  readonly life?: number;
};

/** A seat, and what it is made of. */
export type Desk = {
  readonly seat: Seat;
  readonly deck: Deck;
  readonly store: FaultyStore;
  readonly clock: ManualClock;
  /** Calls, and keeps what a watcher sees. */
  readonly call: (request: CallRequest) => Promise<CallOutcome>;
  readonly events: AgentEvent[];
  readonly records: () => Promise<JournalRecord[]>;
};

export function openDesk(options: DeskOptions = {}): Desk {
  const { deed, deck = sharedDeck(deed), store = new FaultyStore(), clock = new ManualClock() } = options;
  const { deed: _deed, deck: _deck, life = 1, ...rest } = options;
  const seat = new Seat({
    packs: [deck.tools],
    levels: [{ level: "agent", policy: generous }],
    principal: principalOf(),
    origin: "direct",
    surface: "agent",
    installation,
    ids: countingIds(life),
    ...rest,
    store,
    clock,
  });
  const events: AgentEvent[] = [];
  return {
    seat,
    deck,
    store,
    clock,
    events,
    call: (request) => seat.call(request, (event) => events.push(agentEventSchema.parse(event))),
    records: () => recordsIn(store.inner, rest.principal?.accountId ?? "acct_1"),
  };
}

/** The next life of a program on the same data: what was leased is free again. */
export function reopenDesk(desk: Pick<Desk, "store">, options: DeskOptions = {}): Desk {
  return openDesk({ life: 2, ...options, store: new FaultyStore(desk.store.inner) });
}

/** Every record of an account, segment by segment, as it is kept. */
export async function storedIn(store: Store, accountId = "acct_1"): Promise<StoredRecord[]> {
  const all: StoredRecord[] = [];
  for await (const stream of segmentsOf(store, accountId)) {
    all.push(...(await store.readStream({ stream, accountId, limit: 10_000 })));
  }
  return all;
}

/** The same, read: each is what the contract says a record is. */
async function recordsIn(store: Store, accountId = "acct_1"): Promise<JournalRecord[]> {
  const stored = await storedIn(store, accountId);
  return stored.map(({ text }) => journalRecordSchema.parse(parseJsonStrict(text)));
}

export async function kindsOf(desk: Desk): Promise<string[]> {
  return (await desk.records()).map(({ kind }) => kind);
}

export async function traceOf(seat: Seat): Promise<string> {
  const lines: string[] = [];
  for await (const line of seat.trace()) lines.push(`${line}\n`);
  return lines.join("");
}

/** The trace of an account's first segment, as it lies there. */
export async function firstTrace(store: Store, accountId = "acct_1"): Promise<string> {
  const [stream = ""] = await collected(segmentsOf(store, accountId));
  const lines = await collected(exportTrace(store, accountId, stream));
  return lines.map((line) => `${line}\n`).join("");
}

export async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Everything that is kept of an account, as one text. */
export async function keptText(store: Store, accountId = "acct_1"): Promise<string> {
  return JSON.stringify(await storedIn(store, accountId));
}

/** The code of an outcome that was no answer. */
export function codeOf(outcome: CallOutcome): string {
  return outcome.type === "completed" ? "completed" : outcome.error.code;
}

export function outputOf(outcome: CallOutcome): unknown {
  if (outcome.type === "completed") return outcome.result.output;
  throw outcome.error;
}

export function receiptOf(outcome: CallOutcome): Receipt {
  const receipt = outcome.type === "completed" ? outcome.result.receipt : outcome.receipt;
  if (receipt === undefined) throw new Error("there is no receipt");
  return receiptSchema.parse(receipt);
}
