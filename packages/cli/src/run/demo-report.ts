import type { JsonObject } from "@spfunctions/contracts";

/** What a search, and a closer look, say of a market. */
export type DemoMarket = {
  readonly ticker: string;
  readonly title: string;
  readonly bidCents: number | null;
  readonly askCents: number | null;
  readonly closesAt: string;
};

type Seen = {
  readonly found: JsonObject;
  readonly market?: DemoMarket;
  readonly world?: JsonObject;
  readonly order?: JsonObject | undefined;
};

/** What the demo's model says last: what it saw, what it did, and what it was not allowed to do. */
export function reportOn({ found, market, world, order }: Seen): string {
  if (market === undefined) return `No market about rain is worth a look. ${whyNot(found) ?? ""}`.trimEnd();
  const { title, ticker, bidCents, askCents } = market;
  return [
    `${title} (${ticker}) stands at ${bidCents ?? "–"} to ${askCents ?? "–"} cents.`,
    ...(world === undefined ? [] : [worldText(world)]),
    orderText(order),
    "All of it is simulated: nobody's money was touched.",
  ].join("\n");
}

function worldText(world: JsonObject): string {
  const { regime, counts } = world as {
    readonly regime?: { readonly label?: string; readonly reason?: string };
    readonly counts?: { readonly markets?: number };
  };
  if (regime === undefined) return `The world could not be read: ${whyNot(world) ?? "no reason was given"}`;
  return `The world of ${counts?.markets ?? "its"} markets is ${regime.label}: ${regime.reason}.`;
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

function whyNot({ error }: JsonObject): string | undefined {
  return (error as { readonly message?: string } | undefined)?.message;
}
