import {
  canonicalJson,
  InvalidInputError,
  JournalCorruptError,
  NotFoundError,
  strictObject,
} from "@spfunctions/contracts";
import {
  type DocumentWrite,
  provenRow,
  provenValue,
  readKept,
  type Store,
  type StoredDocument,
} from "@spfunctions/kernel";
import { z } from "zod";
import type { MarketsHost } from "../tools/markets-host.ts";
import { endedByTime, type Intent, intentSchema, noProof, stopped } from "./intent.ts";
import { type IntentState, intentTransitions } from "./intent-states.ts";

export const intentKind = "intent";

/** Where intents are kept, and what proves that this installation wrote them. */
export type IntentStore = Pick<MarketsHost, "store" | "proves">;

/** An intent and the revision it was read at; 0 where it is not kept yet. */
export type HeldIntent = {
  readonly accountId: string;
  readonly intent: Intent;
  readonly revision: number;
  /** False of a row without a valid proof: an older version wrote it, or another installation, or somebody else. */
  readonly isProven: boolean;
};

/**
 * How many drafts, and how many that wait for a trigger, an account has at once.
 * @limit market.intents | `invalid_input` | fixed: every round looks at all of them
 */
export const mostIntents = { pending: 200, armed: 200 } as const satisfies Partial<
  Record<IntentState, number>
>;

const unprovenSchema = z.union([
  intentSchema,
  strictObject({ value: intentSchema, proof: z.string() }).transform(({ value }) => value),
]);

/** B22: what has no proof is shown, and nothing fires by it. */
export function readIntent(document: StoredDocument, { proves }: Pick<IntentStore, "proves">): HeldIntent {
  const { accountId, id, status, revision, body } = document;
  const value = provenValue(document, proves);
  const isProven = value !== undefined;
  const what = `the intent ${id}`;
  const intent = isProven
    ? readKept(intentSchema, canonicalJson(value), what)
    : readKept(unprovenSchema, body, what);
  if (intent.intentId !== id || intent.state !== status)
    throw new JournalCorruptError(`the intent ${id} is not what was written; verify the journal`, {
      details: { reason: "changed_intent" },
    });
  return { accountId, intent: isProven ? intent : disarmed(intent), revision, isProven };
}

/**
 * What nobody can prove waits for nothing, whether or not that is written already; and of what was sent, only the venue says which order
 * it is, by the intent's own key.
 */
function disarmed(given: Intent): Intent {
  const { state, history } = given;
  if (!isOpen(state)) return given;
  const { orderId: _, rejection: __, armedBy: ___, armedCall: ____, firingKey: _____, ...facts } = given;
  const intent: Intent = { ...facts, filled: 0 };
  const since = history.at(-1)?.at ?? 0;
  if (state === "armed" || state === "triggered") return stopped(intent, since, noProof);
  return state === "partial" ? { ...intent, state: "executing" } : intent;
}

function isOpen(state: IntentState): boolean {
  return intentTransitions[state].length > 0;
}

/** An intent that is not kept yet. */
export function unkept(accountId: string, intent: Intent): HeldIntent {
  return { accountId, intent, revision: 0, isProven: true };
}

/** I1: another account's intent is as missing as one that never was. */
export async function findIntent(
  kept: IntentStore,
  accountId: string,
  intentId: string,
): Promise<HeldIntent> {
  const held = await lookForIntent(kept, accountId, intentId);
  if (held !== undefined) return held;
  throw new NotFoundError("there is no such intent in this account; intents.create makes one");
}

export async function lookForIntent(
  kept: IntentStore,
  accountId: string,
  intentId: string,
): Promise<HeldIntent | undefined> {
  const document = await kept.store.document({ kind: intentKind, accountId, id: intentId });
  return document && readIntent(document, kept);
}

export function writeIntent(
  { proves }: Pick<IntentStore, "proves">,
  { accountId, revision }: HeldIntent,
  next: Intent,
): DocumentWrite {
  const { intentId: id, state: status } = next;
  const key = { kind: intentKind, accountId, id };
  return { type: "put", ...key, expects: revision, status, body: provenRow(key, next, proves) };
}

/** Nothing, where somebody else has changed it since it was read. */
export async function saveIntent(
  kept: IntentStore,
  held: HeldIntent,
  next: Intent,
  now: number,
): Promise<HeldIntent | undefined> {
  const documents = [writeIntent(kept, held, next)];
  const result = await kept.store.commit({ durability: "power", now, documents });
  if (result.type !== "committed") return undefined;
  return { accountId: held.accountId, intent: next, revision: held.revision + 1, isProven: true };
}

/** Calls at the same moment may each find the last place free: it bounds what one account can pile up, and is no exact count. */
export async function requireRoom(
  store: Store,
  accountId: string,
  state: keyof typeof mostIntents,
): Promise<void> {
  if ((await fillingRoom(store, accountId, state)).length > 0) throw tooMany(state);
}

/** The writes that make room for another draft: where there are as many as there may be, those whose time is over are ended. */
export async function roomForDraft(
  kept: IntentStore,
  accountId: string,
  now: number,
): Promise<readonly DocumentWrite[]> {
  const drafts = await fillingRoom(kept.store, accountId, "pending");
  const over = drafts
    .map((document) => readIntent(document, kept))
    .flatMap((held) => {
      const ended = endedByTime(held.intent, now);
      return ended === held.intent ? [] : [writeIntent(kept, held, ended)];
    });
  if (drafts.length > 0 && over.length === 0) throw tooMany("pending");
  return over;
}

/** All of a state where there are as many as there may be, or else none. */
async function fillingRoom(
  store: Store,
  accountId: string,
  state: keyof typeof mostIntents,
): Promise<readonly StoredDocument[]> {
  const most = mostIntents[state];
  const found = await store.documents({ kind: intentKind, accountId, status: state, limit: most });
  return found.length < most ? [] : found;
}

function tooMany(state: keyof typeof mostIntents): InvalidInputError {
  return new InvalidInputError(
    `this account has ${mostIntents[state]} intents that are ${state}, and cannot have more; cancel some with intents.cancel`,
    { details: { reason: "too_many" } },
  );
}
