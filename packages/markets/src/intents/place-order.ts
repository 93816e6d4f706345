import { errorFor, HostConfigurationNeededError, NotFoundError } from "@spfunctions/contracts";
import type { ToolContext } from "@spfunctions/kernel";
import { type OrderView, viewOfOrder } from "../exchange/order-view.ts";
import type { MarketsHost } from "../tools/markets-host.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { type Arming, armed, findDraft } from "./arm-intent.ts";
import { executeIntent, intentToExecute } from "./execute-intent.ts";
import { type Intent, type IntentFacts, newIntent, wantedOrder } from "./intent.ts";
import { type HeldIntent, requireRoom, writeIntent } from "./intent-documents.ts";

export type PlacingHost = Pick<MarketsHost, "store" | "clock" | "ids" | "live" | "mayCall">;

/** An order that was judged, and the draft that it is of. */
export type Placing = {
  readonly facts: IntentFacts;
  readonly intentId?: string | undefined;
  readonly dryRun: boolean;
};

/** What was placed, or would be and has no name; and the intent that it is of, or that waits for its trigger. */
export type Placed = {
  readonly order?: Omit<OrderView, "orderId"> & { readonly orderId?: string };
  readonly intent?: Intent;
};

/**
 * Places an order at once, arms it, or only says what it would come to. The same call tried again after a crash finds the intent
 * that it has begun (X1).
 */
export async function placeOrder(
  host: PlacingHost,
  reader: VenueReader,
  placing: Placing,
  { principal: { accountId, keyId }, idempotencyKey: key, commit, signal }: ToolContext,
): Promise<Placed> {
  const { facts, intentId, dryRun } = placing;
  const arming = { accountId, keyId, key, now: host.clock.now() };
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
  commit([writeIntent(held, intent)]);
  return { intent };
}

/** G1: what fires later is asked for then, and where nobody could answer nothing is armed. */
function requireAnswerable({ mayCall }: PlacingHost): void {
  if (mayCall !== undefined) return;
  throw new HostConfigurationNeededError(
    "nobody here could say later whether the key may still place orders; open the markets with mayCall, or order without a trigger",
    { details: { reason: "not_configured_here" } },
  );
}

/** What an order would come to if it were sent now; what would be refused then is refused here. */
async function preview({ live }: PlacingHost, facts: IntentFacts, accountId: string): Promise<Placed> {
  const { orderId: _, ...unnamed } = viewOfOrder(await live.preview(accountId, wantedOrder(facts)));
  return { order: unnamed };
}

async function arm(
  { store, ids }: PlacingHost,
  { facts, intentId }: Placing,
  closesAt: number,
  arming: Arming,
): Promise<{ readonly held: HeldIntent; readonly intent: Intent }> {
  const { accountId, now } = arming;
  const fresh = () => ({ accountId, intent: newIntent(`int_${ids.unique()}`, facts, now), revision: 0 });
  const held = intentId === undefined ? fresh() : await findDraft({ store }, intentId, facts, arming);
  await requireRoom(store, accountId, "armed");
  return { held, intent: armed(held.intent, closesAt, arming) };
}

async function execute(host: PlacingHost, { facts, intentId }: Placing, arming: Arming): Promise<Placed> {
  const held = await intentToExecute(host, intentId, facts, arming);
  // Nothing is kept of an order that nobody had drafted and that cannot be.
  if (held.revision === 0) await preview(host, facts, arming.accountId);
  const { intent, order } = await executeIntent(host, held, arming);
  const { rejection } = intent;
  if (rejection !== undefined)
    throw errorFor(rejection.code, rejection.message, { details: { intentId: intent.intentId } });
  return { intent, ...(order !== undefined && { order: viewOfOrder(order) }) };
}

async function closingTime(reader: VenueReader, ticker: string, signal: AbortSignal): Promise<number> {
  const market = await reader.market(ticker, signal);
  if (market !== undefined) return market.closesAt;
  throw new NotFoundError(
    `there is no such market at ${reader.venue}; markets.search finds those there are`,
    { details: { path: "/ticker" } },
  );
}
