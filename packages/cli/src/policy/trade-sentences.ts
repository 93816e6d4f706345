import { type ParsedPolicy, sideEffectsUnder, type TradeGuardrails } from "@spfunctions/contracts";

/** What may really be traded. */
export function tradeSentences({ maxSideEffect, trade }: ParsedPolicy): string[] {
  if (!sideEffectsUnder(maxSideEffect).has("live_trade")) {
    const unused =
      trade === undefined ? [] : ["Its trade guardrails have no use below maxSideEffect live_trade."];
    return ["Nothing is really traded.", ...unused];
  }
  if (trade === undefined)
    return ["Nothing is really traded: without trade guardrails every order is refused."];
  return [
    `Real orders only at ${trade.allowedVenues.join(", ")}, of at most ${trade.maxQuantity} contracts and ${trade.maxOrderCostCents} cents, and never from a model.`,
    ...switchSentences(trade),
    ...placeSentences(trade),
  ];
}

function switchSentences(trade: TradeGuardrails): string[] {
  return [
    trade.dryRunOnly
      ? "Only as a dry run (dryRunOnly): an order that would be placed is refused."
      : "Orders are really placed (dryRunOnly is false).",
    trade.requireLimitPrice
      ? "Only with a limit price."
      : "Also without a limit price: then a contract counts as 99 cents.",
    ...(trade.allowAutoExecute ? ["Also orders that execute by themselves later."] : []),
    ...(trade.allowRuntimeStart ? ["Also orders that start a runtime."] : []),
    ...(trade.confirmToken === undefined ? [] : ["Only with the confirm token."]),
  ];
}

function placeSentences({
  requireJurisdiction,
  jurisdiction,
  blockedJurisdictions = [],
}: TradeGuardrails): string[] {
  return [
    ...(requireJurisdiction === true ? ["Only with a jurisdiction."] : []),
    ...(jurisdiction === undefined ? [] : [`Only in the jurisdiction ${jurisdiction}.`]),
    ...(blockedJurisdictions.length === 0 ? [] : [`Never in ${blockedJurisdictions.join(", ")}.`]),
  ];
}
