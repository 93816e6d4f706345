// The demo's subagent: it looks for a market that is worth a look, at it and at the world around it, and says what it has found.
import type { JsonObject } from "@spfunctions/contracts";
import type { ScriptStep } from "@spfunctions/host/models";
import type { ModelMessage } from "@spfunctions/kernel";
import { answerOf, calling, whyNot } from "./demo-script.ts";

/** What it is for; its model knows by this that it is asked. */
export const researcherObjective =
  "You read markets for somebody else, and trade nothing. Find one that is worth a look, look at it and at the world, and say what you see.";

/** What a search, and a closer look, say of a market. */
export type DemoMarket = {
  readonly ticker: string;
  readonly title: string;
  readonly bidCents: number | null;
  readonly askCents: number | null;
};

/** What it answers with. */
export type Finding = { readonly market?: DemoMarket; readonly seen: string };

const cents = { type: ["integer", "null"] };

/** The same as a schema. */
export const finding: JsonObject = {
  type: "object",
  properties: {
    market: {
      type: "object",
      properties: { ticker: { type: "string" }, title: { type: "string" }, bidCents: cents, askCents: cents },
      required: ["ticker", "title", "bidCents", "askCents"],
      additionalProperties: false,
    },
    seen: { type: "string" },
  },
  required: ["seen"],
  additionalProperties: false,
};

export function researcherStep(messages: readonly ModelMessage[]): ScriptStep {
  const said = (tool: string) => answerOf(messages, tool);
  const found = said("markets.search");
  if (found === undefined)
    return calling("I look for markets about rain.", "markets.search", { query: "rain", limit: 8 });
  const market = worthALook(found);
  if (market === undefined)
    return answering({ seen: `No market about rain is worth a look. ${whyNot(found) ?? ""}`.trimEnd() });
  const inspected = said("market.inspect");
  if (inspected === undefined)
    return calling(`${market.title} I look at it closely.`, "market.inspect", { ticker: market.ticker });
  const world = said("world.read");
  if (world === undefined) return calling("And at the world around it.", "world.read", {});
  const { ticker, title, bidCents, askCents } = { ...market, ...(inspected as Partial<DemoMarket>) };
  return answering({ market: { ticker, title, bidCents, askCents }, seen: worldText(world) });
}

function answering(answer: Finding): ScriptStep {
  return { text: JSON.stringify(answer) };
}

type Listed = DemoMarket & { readonly closesAt: string };

/** Neither sure nor hopeless; of those, the one that is open longest, so that there is time to decide. */
function worthALook({ items }: JsonObject): Listed | undefined {
  const markets = Array.isArray(items) ? (items as readonly Listed[]) : [];
  return markets
    .filter(({ askCents }) => askCents !== null && askCents >= 5 && askCents <= 95)
    .toSorted((one, other) => Date.parse(other.closesAt) - Date.parse(one.closesAt))[0];
}

function worldText(world: JsonObject): string {
  const { regime, counts } = world as {
    readonly regime?: { readonly label?: string; readonly reason?: string };
    readonly counts?: { readonly markets?: number };
  };
  if (regime === undefined) return `The world could not be read: ${whyNot(world) ?? "no reason was given"}`;
  return `The world of ${counts?.markets ?? "its"} markets is ${regime.label}: ${regime.reason}.`;
}
