import { errorFor, HostConfigurationNeededError, NotFoundError } from "@spfunctions/contracts";
import type { ToolContext } from "@spfunctions/kernel";
import { type OrderView, viewOfOrder } from "../exchange/order-view.ts";
import type { MarketsHost } from "../tools/markets-host.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { type Arming, armed, findDraft } from "./arm-intent.ts";
import { badTransition } from "./intent-states.ts";
import { stopByKey } from "./drive-intent.ts";
import { executeIntent, intentToExecute } from "./execute-intent.ts";
import { intentFiredBy, requireNoFiring } from "./fire-order.ts";
import { type ArmedCall, type Intent, type IntentFacts, newIntent, wantedOrder } from "./intent.ts";
import { type HeldIntent, requireRoom, unkept, writeIntent } from "./intent-documents.ts";

export type PlacingHost = Pick<
  MarketsHost,
  "store" | "proves" | "clock" | "ids" | "live" | "mayCall" | "fire"
>;

/** An order that was judged, and the draft that it is of. */
export type Placing = {
  readonly facts: IntentFacts;
  readonly intentId?: string | undefined;
  readonly dryRun: boolean;
  /** What the call was given. */
  readonly input: ArmedCall["input"];
};

/** What was placed, or would be and has no name; and the intent that it is of, or that waits for its trigger. */
export type Placed = {
  readonly order?: Omit<OrderView, "orderId"> & { readonly orderId?: string };
  readonly intent?: Intent;
};

/**
 * Places an order at once, arms it, fires one that was armed, or only says what it would come to. The same call tried again after a crash finds the intent
 * that it has begun (X1).
 */
export async function placeOrder(
  host: PlacingHost,
  reader: VenueReader,
  placing: Placing,
  context: ToolContext,
): Promise<Placed> {
  const { principal, idempotencyKey: key, commit, signal, callId, approvalId } = context;
  const { accountId, keyId } = principal;
  const { facts, intentId, dryRun, input } = placing;
  const call = { callId, input, ...(approvalId !== undefined && { approvalId }) };
  const arming = { accountId, keyId, key, now: host.clock.now(), call };
  const fired = await intentFiredBy(host, input, context);
  if (fired !== undefined) return await fire(host, fired, arming);
  requireNoFiring(key);
  if (facts.trigger === undefined) {
    if (!dryRun) return await execute(host, placing, arming);
    if (intentId !== undefined) await findDraft(host, intentId, facts, arming);
    return await preview(host, facts, accountId);
  }
  requireAnswerable(host);
  const closesAt = await closingTime(reader, facts.ticker, signal);
  const { held, intent } = await arm(host, placing, closesAt, arming);
  // What could not be armed was refused above, and what could is shown as it would be if its trigger held now.
  if (dryRun) return await preview(host, facts, accountId);
  commit([writeIntent(host, held, intent)]);
  return { intent };
}

/** G1: what fires later is asked for then, and where nobody could answer nothing is armed. */
function requireAnswerable({ mayCall, fire: fireLater }: PlacingHost): void {
  if (mayCall !== undefined && fireLater !== undefined) return;
  throw new HostConfigurationNeededError(
    "no host fires orders here later, for a key that may still place them; open the markets with mayCall and fire, or order without a trigger",
    { details: { reason: "not_configured_here" } },
  );
}

/** What an order would come to if it were sent now; what would be refused then is refused here. */
async function preview({ live }: PlacingHost, facts: IntentFacts, accountId: string): Promise<Placed> {
  const { orderId: _, ...unnamed } = viewOfOrder(await live.preview(accountId, wantedOrder(facts)));
  return { order: unnamed };
}

async function arm(
  host: PlacingHost,
  { facts, intentId }: Placing,
  closesAt: number,
  arming: Arming,
): Promise<{ readonly held: HeldIntent; readonly intent: Intent }> {
  const { accountId, now } = arming;
  const fresh = () => unkept(accountId, newIntent(`int_${host.ids.unique()}`, facts, now));
  const held = intentId === undefined ? fresh() : await findDraft(host, intentId, facts, arming);
  await requireRoom(host.store, accountId, "armed");
  return { held, intent: armed(held.intent, closesAt, arming) };
}

async function execute(host: PlacingHost, { facts, intentId }: Placing, arming: Arming): Promise<Placed> {
  const held = await intentToExecute(host, intentId, facts, arming);
  // Nothing is kept of an order that nobody had drafted and that cannot be.
  if (held.revision === 0) await preview(host, facts, arming.accountId);
  return await sent(host, held, arming);
}

async function sent(host: PlacingHost, held: HeldIntent, arming: Arming): Promise<Placed> {
  const { intent, order } = await executeIntent(host, held, arming);
  const { rejection } = intent;
  if (rejection !== undefined)
    throw errorFor(rejection.code, rejection.message, { details: { intentId: intent.intentId } });
  if (order === undefined)
    throw badTransition(intent.state, "executing", intent.history.at(-1)?.reason ?? "nothing was sent");
  return { intent, ...(order !== undefined && { order: viewOfOrder(order) }) };
}

/** Sends the order of an intent whose trigger holds. What else has ended it, or was first, is said. */
async function fire(host: PlacingHost, held: HeldIntent, arming: Arming): Promise<Placed> {
  const { state, armedBy } = held.intent;
  if (state !== "triggered" && armedBy !== arming.key) throw badTransition(state, "executing");
  const stop = state === "triggered" ? await stopByKey(host, held.accountId, held.intent) : undefined;
  if (stop !== undefined) throw errorFor(stop.code, stop.reason);
  return await sent(host, held, arming);
}

async function closingTime(reader: VenueReader, ticker: string, signal: AbortSignal): Promise<number> {
  const market = await reader.market(ticker, signal);
  if (market !== undefined) return market.closesAt;
  throw new NotFoundError(
    `there is no such market at ${reader.venue}; markets.search finds those there are`,
    { details: { path: "/ticker" } },
  );
}
