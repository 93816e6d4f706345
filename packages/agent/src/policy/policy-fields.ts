// Every field of a policy stands for itself before a call: one whose fields are all within those of another allows nothing that the
// other refuses. The one exception is said where it is: a name in `allowTools` also lets a `secret` or `runtime` tool under a ceiling.
import {
  type ApprovalPolicy,
  type BudgetPolicy,
  budgetPolicySchema,
  costEffectRank,
  defaultBudget,
  type JsonValue,
  matchesToolPattern,
  type ParsedPolicy,
  permitsSideEffect,
  type SessionPolicy,
  sideEffectRank,
  sideEffects,
  sideEffectsAllowedByName,
  toolNameSchema,
} from "@spfunctions/contracts";
import {
  asSet,
  asSetUnlessEmpty,
  bothUpTo,
  field,
  listOf,
  never,
  permission,
  type PolicyField,
  stopsOf,
  upTo,
  type Within,
} from "./policy-field.ts";
import { tradeFieldsOf } from "./trade-fields.ts";

const covers = (pattern: string, entry: string): boolean => matchesToolPattern(entry, pattern);

const allowTools: PolicyField = {
  ...field("/allowTools", (policy) => asSet(policy.allowTools), listOf(covers)),
  isWithin: (inner, outer) =>
    listOf(covers)(inner.allowTools, outer.allowTools) && namesNoMore(inner, outer.allowTools),
};

/** Whether no tool is let under the ceiling because it is named here in full, and not there. A pattern names none. */
function namesNoMore({ maxSideEffect, allowTools: here }: ParsedPolicy, there: ParsedPolicy["allowTools"]) {
  const names = here?.filter((entry) => toolNameSchema.safeParse(entry).success) ?? [];
  return names.every((name) =>
    [...sideEffectsAllowedByName].every(
      (sideEffect) =>
        !permitsSideEffect({ maxSideEffect, allowTools: here }, { name, sideEffect }) ||
        permitsSideEffect({ maxSideEffect, allowTools: there }, { name, sideEffect }),
    ),
  );
}

/** By what they permit, to tools that are named and to others: a higher ceiling can lose `secret` or `runtime`. */
function isCeilingWithin(inner: ParsedPolicy, outer: ParsedPolicy): boolean {
  return [undefined, ["a.tool"]].every((named) =>
    sideEffects.every((sideEffect) => {
      const permits = ({ maxSideEffect }: ParsedPolicy) =>
        permitsSideEffect({ maxSideEffect, allowTools: named }, { name: "a.tool", sideEffect });
      return !permits(inner) || permits(outer);
    }),
  );
}

const gateFields: readonly PolicyField[] = [
  field("/allow", ({ allow }) => asSet(allow), listOf()),
  field("/deny", ({ deny }) => asSetUnlessEmpty(deny), stopsOf()),
  allowTools,
  field("/denyTools", ({ denyTools }) => asSetUnlessEmpty(withoutCovered(denyTools)), stopsOf(covers)),
  { path: "/maxSideEffect", read: ({ maxSideEffect }) => maxSideEffect, isWithin: isCeilingWithin },
  field("/maxCostEffect", ({ maxCostEffect }) => maxCostEffect, upTo(costEffectRank)),
];

function withoutCovered(patterns: readonly string[] | undefined): readonly string[] | undefined {
  return patterns?.filter((entry) => !patterns.some((one) => one !== entry && covers(one, entry)));
}

// Where a limit has a default, what leaving it out stands for depends on whose policy it is.
const budgetFields = Object.keys(budgetPolicySchema.shape).map((limit) =>
  field(
    `/budget/${limit}`,
    ({ budget }) => budget?.[limit as keyof BudgetPolicy],
    Object.hasOwn(defaultBudget, limit) ? bothUpTo(Number) : upTo(Number),
  ),
);

const approvalFields: readonly PolicyField[] = [
  approval(
    "requireForSideEffectAtOrAbove",
    (rule) => rule.requireForSideEffectAtOrAbove,
    upTo(sideEffectRank),
  ),
  approval(
    "requireForCostEffectAtOrAbove",
    (rule) => rule.requireForCostEffectAtOrAbove,
    upTo(costEffectRank),
  ),
  approval("ttlMs", ({ ttlMs }) => ttlMs, bothUpTo(Number)),
  approval(
    "approvers",
    ({ approvers }) => asSetUnlessEmpty(approvers),
    (inner = [], outer = []) => listOf()(inner, outer),
  ),
  approval(
    "onDenied",
    ({ onDenied }) => onDenied,
    (inner) => inner === "fail",
  ),
];

function approval<Value extends JsonValue>(
  name: keyof ApprovalPolicy,
  read: (approvals: ApprovalPolicy) => Value | undefined,
  isWithin: Within<Value>,
): PolicyField {
  return field(`/approvals/${name}`, ({ approvals }) => approvals && read(approvals), isWithin);
}

const sessionFields: readonly PolicyField[] = [
  session("persist", permission),
  session("ttlMs", upTo(Number)),
  session("maxHistoryTokens", upTo(Number)),
];
const wholeSession = field("/session", (policy) => policy.session as JsonValue | undefined, never);

function session<Name extends keyof SessionPolicy>(
  name: Name,
  isWithin: Within<SessionPolicy[Name]>,
): PolicyField {
  return field(`/session/${name}`, (policy) => policy.session?.[name], isWithin);
}

/** The fields by which two policies can differ, in the order in which a policy is written. */
export function fieldsOf(a: ParsedPolicy, b: ParsedPolicy): readonly PolicyField[] {
  return [
    ...gateFields,
    ...tradeFieldsOf(a, b),
    ...budgetFields,
    ...approvalFields,
    ...(a.session === undefined || b.session === undefined ? [wholeSession] : sessionFields),
  ];
}
