import {
  isJsonObject,
  type JsonValue,
  type ParsedPolicy,
  type TradeGuardrails,
  tradeGuardrailsSchema,
  tradeViolation,
} from "@spfunctions/contracts";
import {
  asSet,
  asSetUnlessEmpty,
  demand,
  field,
  listOf,
  permission,
  type PolicyField,
  presenceGrants,
  restriction,
  stopsOf,
  upTo,
  type Within,
} from "./policy-field.ts";

/** S1: the word that confirms an order is shown nowhere, also not as its keyed hash. */
const hiddenWord = "[redacted:confirm]";

/** Without guardrails no live trade passes. */
const wholeTrade: PolicyField = {
  ...field("/trade", ({ trade }) => trade as JsonValue | undefined, presenceGrants),
  shown: (trade) =>
    isJsonObject(trade) && Object.hasOwn(trade, "confirmToken")
      ? { ...trade, confirmToken: hiddenWord }
      : trade,
};

const eachGuardrail: readonly PolicyField[] = [
  rail("allowedVenues", ({ allowedVenues }) => asSet(allowedVenues), listOf()),
  rail("maxOrderCostCents", ({ maxOrderCostCents }) => maxOrderCostCents, upTo(Number)),
  rail("maxQuantity", ({ maxQuantity }) => maxQuantity, upTo(Number)),
  rail("requireLimitPrice", ({ requireLimitPrice }) => requireLimitPrice, restriction),
  rail("dryRunOnly", ({ dryRunOnly }) => dryRunOnly, restriction),
  rail("allowAutoExecute", ({ allowAutoExecute }) => allowAutoExecute, permission),
  rail("allowRuntimeStart", ({ allowRuntimeStart }) => allowRuntimeStart, permission),
  rail("requireJurisdiction", ({ requireJurisdiction }) => requireJurisdiction || undefined, restriction),
  rail("jurisdiction", ({ jurisdiction }) => jurisdiction, demand),
  rail(
    "blockedJurisdictions",
    ({ blockedJurisdictions }) => asSetUnlessEmpty(blockedJurisdictions),
    stopsOf(blocks),
  ),
  { ...rail("confirmToken", ({ confirmToken }) => confirmToken, demand), shown: () => hiddenWord },
];

/** The fields of two policies' guardrails: one by one, or the whole where one of them has none. */
export function tradeFieldsOf(a: ParsedPolicy, b: ParsedPolicy): readonly PolicyField[] {
  return a.trade === undefined || b.trade === undefined ? [wholeTrade] : eachGuardrail;
}

function rail<Value extends JsonValue>(
  name: keyof TradeGuardrails,
  read: (trade: TradeGuardrails) => Value | undefined,
  isWithin: Within<Value>,
): PolicyField {
  return field(`/trade/${name}`, ({ trade }) => trade && read(trade), isWithin);
}

/** Whether blocking one region blocks another. The guardrail itself is asked, with an order that nothing else is wrong with. */
function blocks(blocked: string, region: string): boolean {
  const rails = tradeGuardrailsSchema.parse({
    allowedVenues: ["venue"],
    maxOrderCostCents: 1,
    maxQuantity: 1,
    blockedJurisdictions: [blocked],
  });
  const order = { venue: "venue", side: "buy", quantity: 1, limitPriceCents: 1, dryRun: true };
  return (
    tradeViolation(rails, { ...order, jurisdiction: region }, () => true)?.field === "blockedJurisdictions"
  );
}
