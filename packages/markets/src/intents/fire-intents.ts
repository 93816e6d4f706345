import { type ErrorCode, isSimpleFunctionsError, redactText } from "@spfunctions/contracts";
import type { Store, StoredDocument } from "@spfunctions/kernel";
import { documentsWith } from "../documents/documents-with.ts";
import { ArmedKeys } from "./armed-keys.ts";
import { driveIntent, type IntentHost, keyHasEnded } from "./drive-intent.ts";
import { withState } from "./intent.ts";
import { type HeldIntent, intentKind, readIntent, saveIntent } from "./intent-documents.ts";
import type { MarketsHost } from "../tools/markets-host.ts";
import type { IntentState } from "./intent-states.ts";

export type Firing = {
  /** How many intents were changed, by the state each has come to. */
  readonly moved: { readonly [State in IntentState]?: number };
  /** Those that could not be looked at or moved on this time; the next time they are tried again. */
  readonly failed: readonly {
    readonly accountId: string;
    readonly intentId: string;
    readonly code: ErrorCode;
    /** Without secrets. */
    readonly message: string;
  }[];
};

/** Those that something is to be done about. A draft only ever ends, by its time, and whoever looks at it sees that. */
const lookedAt = ["partial", "executing", "triggered", "armed"] as const satisfies readonly IntentState[];

/**
 * Goes over the intents of every account: ends those whose time is over or whose key has ended, fires those whose trigger holds,
 * goes on with what a dead process has left, and follows orders that stand. Any number of processes may do it at once. One that fails stops no other, and
 * one that takes long makes no other late: each is judged by the time at which it is looked at.
 */
export async function fireIntents(
  host: IntentHost & Pick<MarketsHost, "clock">,
  keys = new ArmedKeys(host.mayCall),
): Promise<Firing> {
  keys.beginRound();
  const moved: { [State in IntentState]?: number } = {};
  const failed: Firing["failed"][number][] = [];
  for await (const document of intentsIn(host.store)) {
    const { accountId, id: intentId } = document;
    try {
      const held = readIntent(document);
      const driven = await driveIntent(host, held, host.clock.now());
      const { intent, revision } = (await endedByKey(host, driven, keys)) ?? driven;
      if (revision !== held.revision) moved[intent.state] = (moved[intent.state] ?? 0) + 1;
    } catch (error) {
      failed.push({ accountId, intentId, ...faultOf(error) });
    }
  }
  return { moved, failed };
}

/** What waits for a key that has ended would only take the place of something that can fire. */
async function endedByKey(
  { store, clock }: Pick<MarketsHost, "store" | "clock">,
  held: HeldIntent,
  keys: ArmedKeys,
): Promise<HeldIntent | undefined> {
  const { accountId, intent } = held;
  const { state, armedKeyId } = intent;
  if (state !== "armed" || armedKeyId === undefined || !(await keys.hasEnded(accountId, armedKeyId)))
    return undefined;
  const now = clock.now();
  return await saveIntent(store, held, withState(intent, "cancelled", now, keyHasEnded), now);
}

function faultOf(error: unknown): { readonly code: ErrorCode; readonly message: string } {
  if (isSimpleFunctionsError(error)) return { code: error.code, message: error.message };
  const words = error instanceof Error ? error.message : "something was thrown that is no error";
  return { code: "internal", message: redactText(words) };
}

async function* intentsIn(store: Store): AsyncGenerator<StoredDocument, void, void> {
  for (const status of lookedAt) yield* documentsWith(store, intentKind, status);
}
