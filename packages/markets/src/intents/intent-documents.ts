import { canonicalJson, InvalidInputError, JournalCorruptError, NotFoundError } from "@spfunctions/contracts";
import { type DocumentWrite, readKept, type Store, type StoredDocument } from "@spfunctions/kernel";
import { endedByTime, type Intent, intentSchema } from "./intent.ts";
import type { IntentState } from "./intent-states.ts";

export const intentKind = "intent";

/** An intent and the revision it was read at; 0 where it is not kept yet. */
export type HeldIntent = { readonly accountId: string; readonly intent: Intent; readonly revision: number };

/**
 * How many drafts, and how many that wait for a trigger, an account has at once.
 * @limit market.intents | `invalid_input` | fixed: every round looks at all of them
 */
export const mostIntents = { pending: 200, armed: 200 } as const satisfies Partial<
  Record<IntentState, number>
>;

export function readIntent({ accountId, id, status, revision, body }: StoredDocument): HeldIntent {
  const intent = readKept(intentSchema, body, `the intent ${id}`);
  if (intent.intentId !== id || intent.state !== status)
    throw new JournalCorruptError(`the intent ${id} is not what was written; verify the journal`, {
      details: { reason: "changed_intent" },
    });
  return { accountId, intent, revision };
}

/** I1: another account's intent is as missing as one that never was. */
export async function findIntent(store: Store, accountId: string, intentId: string): Promise<HeldIntent> {
  const held = await lookForIntent(store, accountId, intentId);
  if (held !== undefined) return held;
  throw new NotFoundError("there is no such intent in this account; intents.create makes one");
}

export async function lookForIntent(
  store: Store,
  accountId: string,
  intentId: string,
): Promise<HeldIntent | undefined> {
  const document = await store.document({ kind: intentKind, accountId, id: intentId });
  return document && readIntent(document);
}

export function writeIntent({ accountId, revision }: HeldIntent, next: Intent): DocumentWrite {
  const { intentId: id, state: status } = next;
  const body = canonicalJson(next);
  return { type: "put", kind: intentKind, accountId, id, expects: revision, status, body };
}

/** Nothing, where somebody else has changed it since it was read. */
export async function saveIntent(
  store: Store,
  held: HeldIntent,
  next: Intent,
  now: number,
): Promise<HeldIntent | undefined> {
  const documents = [writeIntent(held, next)];
  const result = await store.commit({ durability: "power", now, documents });
  if (result.type !== "committed") return undefined;
  return { accountId: held.accountId, intent: next, revision: held.revision + 1 };
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
  store: Store,
  accountId: string,
  now: number,
): Promise<readonly DocumentWrite[]> {
  const drafts = await fillingRoom(store, accountId, "pending");
  const over = drafts.map(readIntent).flatMap((held) => {
    const ended = endedByTime(held.intent, now);
    return ended === held.intent ? [] : [writeIntent(held, ended)];
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
