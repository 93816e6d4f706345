// What a policy means, for whoever has to sign it. Which classes a ceiling stands for is asked of contracts, not said again here.
import {
  type ContractTool,
  type CostEffect,
  costEffectRank,
  costEffects,
  type ParsedPolicy,
  type SideEffect,
  sideEffectRank,
  sideEffects,
  sideEffectsAllowedByName,
  sideEffectsUnder,
} from "@spfunctions/contracts";
import { boundsSentences } from "./bounds-sentences.ts";
import { tradeSentences } from "./trade-sentences.ts";

/** What may be called, changed and spent under a policy, a sentence each; and traded, if it or one of the tools is about that. */
export function policySentences(policy: ParsedPolicy, tools: readonly ContractTool[] = []): string[] {
  const isOfTrading = isAboutTrades(policy) || tools.some(trades);
  return [
    ...toolSentences(policy),
    ...permissionSentences(policy),
    ...changeSentences(policy),
    costSentence(policy, isOfTrading),
    ...(isOfTrading ? tradeSentences(policy) : []),
    ...boundsSentences(policy),
  ];
}

function isAboutTrades({ maxSideEffect, trade }: ParsedPolicy): boolean {
  return trade !== undefined || sideEffectRank(maxSideEffect) >= sideEffectRank("paper_trade");
}

function trades({ sideEffect, costEffect }: ContractTool): boolean {
  return costEffect === "venue_request_cost" || sideEffect === "paper_trade" || sideEffect === "live_trade";
}

function toolSentences({ allowTools, denyTools = [] }: ParsedPolicy): string[] {
  const never =
    denyTools.length === 0 ? [] : [`Never these, whatever else is said: ${denyTools.join(", ")}.`];
  if (allowTools === undefined) return ["Any tool may be called that the rest lets pass.", ...never];
  if (allowTools.length === 0) return ["No tool may be called: allowTools names none."];
  return [`Only these tools may be called: ${allowTools.join(", ")}.`, ...never];
}

function permissionSentences({ allow, deny = [] }: ParsedPolicy): string[] {
  const covered =
    allow === undefined
      ? []
      : allow.length === 0
        ? ["Only tools that need no permission."]
        : [`Only tools that need no other permission than: ${allow.join(", ")}.`];
  const denied =
    deny.length === 0 ? [] : [`No tool that needs one of these permissions: ${deny.join(", ")}.`];
  return [...covered, ...denied];
}

const changes: { readonly [Class in SideEffect]: string } = {
  none: "nothing",
  auth_telemetry_write: "records of its own use",
  user_write: "what belongs to the user",
  secret: "keys and other secrets",
  runtime: "what runs, and when",
  paper_trade: "trades on paper",
  live_trade: "real trades",
};

function changeSentences({ maxSideEffect, allowTools = [] }: ParsedPolicy): string[] {
  const under = sideEffectsUnder(maxSideEffect);
  const may = sideEffects.filter((one) => one !== "none" && under.has(one)).map((one) => changes[one]);
  const said = `maxSideEffect ${maxSideEffect}`;
  const first =
    may.length === 0 ? `Nothing may be changed (${said}).` : `May be changed: ${may.join(", ")} (${said}).`;
  const byName = [...sideEffectsAllowedByName].filter(
    (one) => !under.has(one) && sideEffectRank(one) <= sideEffectRank(maxSideEffect),
  );
  const named = allowTools.filter((name) => !name.endsWith("*"));
  if (byName.length === 0 || named.length === 0) return [first];
  const what = byName.map((one) => changes[one]).join("; ");
  return [first, `Also ${what}: by a tool that allowTools names in full, and by no other.`];
}

const costs: { readonly [Class in CostEffect]: string } = {
  none: "what is free",
  api_cost: "paid requests",
  search_cost: "searches",
  venue_request_cost: "requests to venues",
  llm_cost: "language models",
};

function costSentence({ maxCostEffect }: ParsedPolicy, isOfTrading: boolean): string {
  const told = costEffects.filter((one) => isOfTrading || one !== "venue_request_cost");
  const isWithin = (one: CostEffect) => costEffectRank(one) <= costEffectRank(maxCostEffect);
  const list = (which: boolean) => told.filter((one) => isWithin(one) === which).map((one) => costs[one]);
  const not = list(false).length === 0 ? "" : `; not: ${list(false).join(", ")}`;
  const said = told.includes(maxCostEffect)
    ? `maxCostEffect ${maxCostEffect}`
    : "the default of maxCostEffect";
  return `May be used: ${list(true).join(", ")}${not} (${said}).`;
}
