import { canonicalJson, JournalCorruptError, strictObject } from "@spfunctions/contracts";
import { type DocumentWrite, readKept, type Store, type StoredDocument } from "@spfunctions/kernel";
import { z } from "zod";
import { requirePlace } from "./require-place.ts";

export const alertRuleKind = "alert_rule";

/**
 * Rules of an account that wait at once.
 * @limit market.alertRules | `invalid_input`; one that is met, or whose market closes, makes room | fixed: every round looks at all of them
 */
export const mostAlertRules = 500;

const minutes = z.int().min(1).max(43_200);

/** What a rule waits for. Prices are cents of a yes contract. */
export const alertConditionSchema = z.discriminatedUnion("type", [
  strictObject({
    type: z.literal("price_crosses"),
    priceCents: z.int().min(1).max(99),
    direction: z.enum(["up", "down", "either"]),
  }),
  strictObject({ type: z.literal("move"), moveCents: z.int().min(1).max(98), withinMinutes: minutes }),
  strictObject({ type: z.literal("closing_soon"), withinMinutes: minutes }),
]);

/** `active`: it waits. `triggered`: it was met, once and for all. `ended`: its market was over before that. */
export const alertStatuses = ["active", "triggered", "ended"] as const;

/** What an account sees of a rule. */
export const alertRuleFacts = {
  alertRuleId: z.string(),
  venue: z.string(),
  ticker: z.string(),
  when: alertConditionSchema,
  status: z.enum(alertStatuses),
  createdAt: z.int(),
  triggeredAt: z.int().optional(),
  /** What the market cost when the rule was met, where anybody knew. */
  priceCents: z.int().min(0).max(100).optional(),
};

const alertRuleSchema = strictObject({
  ...alertRuleFacts,
  /** Of a price to be crossed: where the market was seen last. Not there before anybody knew what it cost. */
  side: z.enum(["below", "at", "above"]).optional(),
  /** When the market was to close as it was seen last: until then it is waited for, also while its venue does not know it. */
  closesAt: z.int().optional(),
});
export type AlertRule = z.infer<typeof alertRuleSchema>;

export function readAlertRule({ id, status, body }: StoredDocument): AlertRule {
  const rule = readKept(alertRuleSchema, body, `the alert rule ${id}`);
  if (rule.alertRuleId === id && rule.status === status) return rule;
  throw new JournalCorruptError(`the alert rule ${id} is not what was written; verify the journal`, {
    details: { reason: "changed_alert_rule" },
  });
}

function writeRule(accountId: string, rule: AlertRule, expects: number): DocumentWrite {
  const { alertRuleId: id, status } = rule;
  return { type: "put", kind: alertRuleKind, accountId, id, expects, status, body: canonicalJson(rule) };
}

export async function addAlertRule(
  store: Store,
  accountId: string,
  rule: AlertRule,
): Promise<readonly DocumentWrite[]> {
  await requirePlace(
    store,
    { kind: alertRuleKind, accountId, status: rule.status, most: mostAlertRules },
    `this account has ${mostAlertRules} alert rules that are active, and cannot have more; one that is met, or whose market closes, makes room`,
  );
  return [writeRule(accountId, rule, 0)];
}

/** Whether it was written: not where somebody else has changed the rule since it was read. */
export async function saveAlertRule(
  store: Store,
  { accountId, revision }: StoredDocument,
  next: AlertRule,
  now: number,
): Promise<boolean> {
  const documents = [writeRule(accountId, next, revision)];
  return (await store.commit({ durability: "power", now, documents })).type === "committed";
}
