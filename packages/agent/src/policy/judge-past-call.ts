// A recorded call is judged as it was made, and what was found then stands where only the call itself could tell: the input gate,
// and what the host's own policy said. Nothing is guessed: where what a record does not show could decide, both answers are given.
import type { HiddenPart, PolicyLevel, TradeFacts, Verdict } from "@spfunctions/contracts";
import {
  compileRejudge,
  type PolicyAnswer,
  undeclaredPartsIn,
  wasStoppedAsHidden,
} from "@spfunctions/kernel";
import { isSameDecision } from "./decision.ts";
import { mostClosed, mostOpen, type OrderFacts, readOrder } from "./order-facts.ts";
import { isReplayed, type PastCall, resultOf, surfaceOf } from "./past-calls.ts";

export type Rejudgement = {
  readonly verdict: Verdict;
  /** The other answer that is possible, and what would have to be known to tell. */
  readonly otherwise?: { readonly verdict: Verdict; readonly because: string };
};

/** What is taken to be so about a call beyond what its record shows. */
type Assumed = {
  readonly fits: boolean;
  /** Any of these. */
  readonly orders: readonly TradeFacts[];
  readonly isConfirmed: boolean;
  readonly isReached: boolean;
  readonly preTool: PolicyAnswer | undefined;
  /** The parts of its input that nobody was shown. */
  readonly hidden: readonly HiddenPart[];
};

/** Judges recorded calls by these policies instead of the ones they were made under. */
export function judgePastCalls(levels: readonly PolicyLevel[]): (call: PastCall) => Rejudgement {
  const { isUnder, rejudge } = compileRejudge(levels);
  const under = (call: PastCall, assumed: Assumed): Verdict => {
    const { contract, origin, verdict, entry, input } = call;
    if (contract === undefined) return verdict;
    const { orders, fits, isConfirmed, isReached, preTool, hidden } = assumed;
    const canAsk = !wasDeniedUnasked(verdict);
    const view = {
      contract,
      origin,
      principal: entry.principal,
      surface: surfaceOf(verdict),
      preTool,
      canAsk,
    };
    const verdicts = orders.map((facts) =>
      rejudge({
        ...view,
        mode: isReplayed(call) ? "replay" : "live",
        input: { fits, value: input ?? null, facts, isConfirmed, isReached, hidden },
      }),
    );
    return inOldWords(verdict, verdicts.find(({ gate }) => gate !== "trade") ?? (verdicts[0] as Verdict));
  };
  return (call) => {
    const order = readOrder(call.contract?.trade, call.input);
    const open = atMost(call, order, levels);
    const closed = atLeast(call, order);
    const best = under(call, open);
    // What an order hides may be why it was refused, and what nobody was shown why a person was asked: then that still is so.
    const wasRefused = resultOf(call.verdict, "trade") === "stopped";
    const wasAsked = wasStoppedAsHidden(call.verdict);
    const { orders, isConfirmed, hidden } = closed;
    const verdict = under(call, {
      ...open,
      ...(wasRefused && { orders, isConfirmed }),
      ...(wasAsked && { hidden }),
    });
    // The same policies say the same.
    if (isUnder(call.verdict)) return { verdict };
    const other = [under(call, closed), best].find((one) => !isSameDecision(one, verdict));
    return other === undefined
      ? { verdict }
      : { verdict, otherwise: { verdict: other, because: unknownOf(call, order) } };
  };
}

/** Everything that is not known as it would have to be for the call to pass. */
function atMost(call: PastCall, order: OrderFacts, levels: readonly PolicyLevel[]): Assumed {
  return {
    fits: resultOf(call.verdict, "input") !== "stopped",
    orders: mostOpen(order, levels),
    isConfirmed: order.hidden.includes("confirm"),
    isReached: resultOf(call.verdict, "capability") !== "stopped",
    preTool: saidThen(call, "allow"),
    hidden: wasDeniedUnasked(call.verdict) ? hiddenThen(call) : [],
  };
}

/** Everything that is not known as it would have to be for the call to be refused. */
function atLeast(call: PastCall, order: OrderFacts): Assumed {
  return {
    fits: resultOf(call.verdict, "input") === "passed",
    orders: [mostClosed(order)],
    isConfirmed: false,
    isReached: resultOf(call.verdict, "capability") === "passed",
    preTool: saidThen(call, "deny"),
    hidden: hiddenThen(call),
  };
}

/** The parts that nobody may have been shown: none once the gate has let the call pass. */
function hiddenThen({ verdict, contract, input }: PastCall): readonly HiddenPart[] {
  const result = resultOf(verdict, "approval");
  if (contract === undefined || (result !== "stopped" && result !== "not_checked")) return [];
  return input === undefined ? [{ pointer: "", kind: "erased" }] : undeclaredPartsIn(input, contract);
}

/** Only a call with a hidden part is denied at that gate: there was nobody who could be asked. */
function wasDeniedUnasked(verdict: Verdict): boolean {
  return verdict.gate === "approval" && verdict.outcome === "deny";
}

/** What the host's own policy said, and what it may have said where it was not asked. */
function saidThen(
  { verdict, hasPreTool }: PastCall,
  unasked: PolicyAnswer["outcome"],
): PolicyAnswer | undefined {
  switch (resultOf(verdict, "pre_tool")) {
    case "passed":
      return { outcome: "allow" };
    case "stopped":
      return { outcome: verdict.outcome };
    case "not_checked":
      return hasPreTool === false ? undefined : { outcome: unasked };
    default:
      return undefined;
  }
}

/** What was wrong with an input, or out of its reach, only the call itself could tell. */
function inOldWords(then: Verdict, now: Verdict): Verdict {
  if (now.gate !== then.gate || (now.gate !== "input" && now.gate !== "capability")) return now;
  const { reason, remedy } = then;
  return { ...now, reason, ...(remedy !== undefined && { remedy }) };
}

function unknownOf(call: PastCall, { hidden }: OrderFacts): string {
  const { verdict, input, hasPreTool, contract } = call;
  const wasSeen = resultOf(verdict, "input") !== "not_checked";
  const isUnlooked = contract?.capability && resultOf(verdict, "capability") === "not_checked";
  const parts = input === undefined ? [] : hiddenThen(call);
  const isUnseen = parts.length > 0 && !wasDeniedUnasked(verdict);
  const isUnasked = resultOf(verdict, "pre_tool") === "not_checked" && hasPreTool !== false;
  return [
    ...(wasSeen ? [] : ["it was refused before anybody looked at its input, which is not recorded"]),
    ...(wasSeen && input === undefined ? ["its input was erased"] : []),
    ...(input !== undefined && hidden.length > 0 ? [`its record hides: ${hidden.join(", ")}`] : []),
    ...(isUnseen ? [`its record does not say whether a person was shown ${placesOf(parts)}`] : []),
    ...(isUnlooked ? ["what was granted was not looked at"] : []),
    ...(wasSeen && isUnasked ? ["the host's own policy was not asked about it"] : []),
  ].join("; ");
}

function placesOf(parts: readonly HiddenPart[]): string {
  return parts.map(({ pointer }) => pointer || "the whole input").join(", ");
}
