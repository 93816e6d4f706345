import type { JsonObject } from "@spfunctions/contracts";
import type { DemoMarket } from "./demo-researcher.ts";
import { whyNot } from "./demo-script.ts";

type Seen = {
  readonly market: DemoMarket;
  /** What the researcher has seen of the world. */
  readonly seen: string;
  readonly order?: JsonObject | undefined;
};

/** What the demo's model says last: what was seen, what it did, and what it was not allowed to do. */
export function reportOn({ market, seen, order }: Seen): string {
  const { title, ticker, bidCents, askCents } = market;
  return [
    `${title} (${ticker}) stands at ${bidCents ?? "–"} to ${askCents ?? "–"} cents.`,
    seen,
    orderText(order),
    "All of it is simulated: nobody's money was touched.",
  ].join("\n");
}

function orderText(answer: JsonObject | undefined): string {
  if (answer === undefined) return "Nobody offers it, so that nothing was ordered.";
  const { order } = answer as {
    readonly order?: { status: string; quantity: number; filled: number; filledCents: number };
  };
  if (order === undefined) return `Nothing was bought: ${whyNot(answer) ?? "no reason was given"}`;
  const { status, quantity, filled, filledCents } = order;
  return `Bought on paper, as a person approved: ${filled} of ${quantity}, for ${filledCents} cents; the order is ${status}.`;
}
