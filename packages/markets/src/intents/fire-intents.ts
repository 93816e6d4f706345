import { type ErrorCode, isSimpleFunctionsError, redactText } from "@spfunctions/contracts";
import type { Store, StoredDocument } from "@spfunctions/kernel";
import { documentsWith } from "../documents/documents-with.ts";
import { ArmedKeys } from "./armed-keys.ts";
import { driveIntent } from "./drive-intent.ts";
import { disarm, type FiringHost, fireOrder, isToFire } from "./fire-order.ts";
import { FiringWaits } from "./firing-waits.ts";
import { keyHasEnded, type Stop, stopped } from "./intent.ts";
import { type HeldIntent, intentKind, readIntent, saveIntent } from "./intent-documents.ts";
import type { MarketsHost } from "../tools/markets-host.ts";
import type { IntentState } from "./intent-states.ts";

/** An intent that something is said of. */
type NamedFault = {
  readonly accountId: string;
  readonly intentId: string;
  readonly code: ErrorCode;
  /** Without secrets. */
  readonly message: string;
};

export type Firing = {
  /** How many intents were changed, by the state each has come to. */
  readonly moved: { readonly [State in IntentState]?: number };
  /** Those that could not be looked at or moved on this time; the next time they are tried again. */
  readonly failed: readonly NamedFault[];
  /** Those that were stopped in this round, if there are any. */
  readonly stopped?: readonly NamedFault[];
};

/** Those that something is to be done about. A draft only ever ends, by its time, and whoever looks at it sees that. */
const lookedAt = ["partial", "executing", "triggered", "armed"] as const satisfies readonly IntentState[];

/** What is remembered from round to round. */
export class FiringMemory {
  readonly keys: ArmedKeys;
  readonly waits = new FiringWaits();

  constructor({ mayCall }: Pick<MarketsHost, "mayCall">) {
    this.keys = new ArmedKeys(mayCall);
  }
}

/**
 * Goes over the intents of every account: ends those whose time is over, stops those whose key has ended or whose row has no proof, has
 * those fired whose trigger holds, and follows orders that stand. Any number of processes may do it at once. One that fails stops no
 * other, and each is judged by the time at which it is looked at.
 */
export async function fireIntents(host: FiringHost, memory = new FiringMemory(host)): Promise<Firing> {
  memory.keys.beginRound();
  const moved: { [State in IntentState]?: number } = {};
  const failed: NamedFault[] = [];
  const stops: NamedFault[] = [];
  for await (const document of intentsIn(host.store)) {
    const { accountId, id: intentId } = document;
    try {
      const held = readIntent(document, host);
      const { intent, revision } = await bringUp(host, held, memory);
      if (revision === held.revision) continue;
      moved[intent.state] = (moved[intent.state] ?? 0) + 1;
      const { stoppedBy } = intent;
      if (stoppedBy !== undefined)
        stops.push({ accountId, intentId, code: stoppedBy.code, message: stoppedBy.reason });
    } catch (error) {
      failed.push({ accountId, intentId, ...faultOf(error) });
    }
  }
  return { moved, failed, ...(stops.length > 0 && { stopped: stops }) };
}

async function bringUp(
  host: FiringHost,
  held: HeldIntent,
  { keys, waits }: FiringMemory,
): Promise<HeldIntent> {
  const proven = await disarm(host, held);
  const now = host.clock.now();
  const driven = await driveIntent(host, proven, { now });
  if (isToFire(driven.intent, now)) return await waits.attempt(driven, now, () => fireOrder(host, driven));
  return (await stoppedByKey(host, driven, keys)) ?? driven;
}

/** What waits for a key that has ended would only take the place of something that can fire. */
async function stoppedByKey(
  host: FiringHost,
  held: HeldIntent,
  keys: ArmedKeys,
): Promise<HeldIntent | undefined> {
  const { accountId, intent } = held;
  const { state, armedKeyId } = intent;
  if (state !== "armed" || armedKeyId === undefined || !(await keys.hasEnded(accountId, armedKeyId)))
    return undefined;
  const now = host.clock.now();
  const stop = await explainStop(host, accountId, armedKeyId);
  return await saveIntent(host, held, stopped(intent, now, stop), now);
}

/** Says which gate stops the calls of a key that may not place orders any more. */
async function explainStop(
  { explainCall }: Pick<FiringHost, "explainCall">,
  accountId: string,
  keyId: string,
): Promise<Stop> {
  const explanation = await explainCall?.(accountId, keyId, "execution.place");
  if (explanation?.outcome !== "deny") return keyHasEnded;
  const { gate, code, reason } = explanation;
  return {
    ...(gate !== undefined && { gate }),
    code: code === "allowed" || code === "unchecked" ? keyHasEnded.code : code,
    reason: `${reason}; arm it again once that is changed`,
  };
}

function faultOf(error: unknown): { readonly code: ErrorCode; readonly message: string } {
  if (isSimpleFunctionsError(error)) return { code: error.code, message: error.message };
  const words = error instanceof Error ? error.message : "something was thrown that is no error";
  return { code: "internal", message: redactText(words) };
}

async function* intentsIn(store: Store): AsyncGenerator<StoredDocument, void, void> {
  for (const status of lookedAt) yield* documentsWith(store, intentKind, status);
}
