import {
  HostConfigurationNeededError,
  InvalidInputError,
  NotFoundError,
  strictObject,
  timestampSchema,
} from "@spfunctions/contracts";
import { defineTool } from "@spfunctions/kernel";
import { z } from "zod";
import { keptTickerSchema } from "../venue/ticker.ts";
import {
  addAlertRule,
  alertConditionSchema,
  type AlertRule,
  alertRuleFacts,
  alertRuleKind,
  alertStatuses,
  readAlertRule,
} from "../saved/alert-rule.ts";
import { isOver, newAlertRule } from "../saved/judge-alert.ts";
import { savedPage } from "../saved/saved-page.ts";
import type { MarketRow } from "../venue/market.ts";
import { isoTime } from "./market-view.ts";
import {
  listing,
  savedPageSchema,
  savedVenue,
  savedVenueSchema,
  type SavedHost,
  saving,
  shownId,
} from "./saved-tool-terms.ts";

const alertRuleView = strictObject({
  ...alertRuleFacts,
  alertRuleId: shownId,
  createdAt: timestampSchema,
  triggeredAt: timestampSchema.optional(),
});

export function alertTools(host: SavedHost) {
  const { store, clock, ids } = host;
  return [
    defineTool({
      ...listing,
      name: "alerts.list",
      title: "List the alert rules",
      description:
        "The alert rules of this account: those that wait (active), those that were met, with the time and the price (triggered), and those whose market closed before (ended).",
      permissions: ["alerts:read"],
      input: strictObject({ ...savedPageSchema.shape, status: z.enum(alertStatuses).optional() }),
      output: strictObject({ items: z.array(alertRuleView), next: z.string().optional() }),
      http: { method: "GET", path: "/api/alert-rules" },
      sdk: { package: "@spfunctions/sdk", method: "alerts.list" },
      run: async (page, { principal: { accountId } }) =>
        await savedPage(store, { kind: alertRuleKind, accountId, ...page }, (document) =>
          viewOf(readAlertRule(document)),
        ),
    }),
    defineTool({
      ...saving,
      name: "alerts.create",
      title: "Make an alert rule",
      description:
        "Keeps a rule about one open market: its price comes to a level or goes over it, it is so many cents from where it was some minutes ago, or it closes soon. It is met once; alerts.list says whether it was.",
      permissions: ["alerts:write"],
      costEffect: "venue_request_cost",
      risk: ["account_context", "user_data", "venue", "state_mutation"],
      input: strictObject({
        ticker: keptTickerSchema,
        venue: savedVenueSchema.optional(),
        when: alertConditionSchema,
      }),
      output: strictObject({ alertRule: alertRuleView }),
      http: { method: "POST", path: "/api/alert-rules" },
      sdk: { package: "@spfunctions/sdk", method: "alerts.create" },
      run: async ({ ticker, venue: named, when }, { principal: { accountId }, commit, signal }) => {
        const venue = savedVenue(host, named);
        const market = await openMarket(host, venue, ticker, signal);
        const alertRuleId = `alr_${ids.unique()}`;
        const rule = newAlertRule({ alertRuleId, venue, ticker, when, createdAt: clock.now() }, market);
        commit(await addAlertRule(store, accountId, rule));
        return { alertRule: viewOf(rule) };
      },
    }),
  ];
}

async function openMarket(
  { readers, clock }: SavedHost,
  venue: string,
  ticker: string,
  signal: AbortSignal,
): Promise<MarketRow> {
  const reader = readers.find((one) => one.venue === venue);
  if (reader === undefined)
    throw new HostConfigurationNeededError(
      `${venue} is not read here, and nobody would see what happens there; switch it on, or name another venue`,
      { details: { venue, reason: "not_configured_here" } },
    );
  const market = await reader.market(ticker, signal);
  if (market === undefined)
    throw new NotFoundError(`there is no such market at ${venue}; markets.search finds those there are`, {
      details: { path: "/ticker" },
    });
  if (isOver(market, clock.now()))
    throw new InvalidInputError("the market has closed: the rule could never be met", {
      details: { path: "/ticker", reason: "closed" },
    });
  return market;
}

function viewOf(rule: AlertRule) {
  const { createdAt, triggeredAt, side: _, closesAt: __, ...same } = rule;
  return {
    ...same,
    createdAt: isoTime(createdAt),
    ...(triggeredAt !== undefined && { triggeredAt: isoTime(triggeredAt) }),
  };
}
