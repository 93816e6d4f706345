import {
  type AgentPolicy,
  canonicalJson,
  type ContractTool,
  type Digest,
  type JsonValue,
  parsePolicy,
  type ParsedPolicy,
  principalSchema,
  scopes,
} from "@spfunctions/contracts";
import { compileRejudge } from "@spfunctions/kernel";
import { type ExplainedDecision, explainedDecision, inWords, isSameDecision } from "./decision.ts";
import type { PolicyField } from "./policy-field.ts";
import { fieldsOf } from "./policy-fields.ts";

/** `widens`: some calls pass that did not, and none less; `narrows`: the reverse; `changes`: neither is sure. */
export type PolicyEffect = "widens" | "narrows" | "changes" | "same";

/** One field that is another, in canonical form: lists are sorted, and what says nothing is left out. */
export type PolicyChange = {
  readonly path: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  readonly effect: PolicyEffect;
  readonly sentence: string;
};

/** A tool that the judge answers otherwise, before any input. */
export type ToolChange = {
  readonly tool: string;
  readonly toolDigest: Digest;
  readonly before: ExplainedDecision;
  readonly after: ExplainedDecision;
  readonly sentence: string;
};

export type PolicyDiff = { readonly changes: readonly PolicyChange[]; readonly tools: readonly ToolChange[] };

export type DiffPoliciesOptions = {
  /** Tools to hold against both policies, as a principal with every scope would call them. */
  readonly tools?: readonly ContractTool[];
};

/** What changes from one policy to another, field by field, and for which of the given tools. */
export function diffPolicies(
  a: AgentPolicy,
  b: AgentPolicy,
  { tools = [] }: DiffPoliciesOptions = {},
): PolicyDiff {
  const [before, after] = [parsePolicy(a), parsePolicy(b)];
  const changes = fieldsOf(before, after).flatMap((field) => changeOf(field, before, after) ?? []);
  return { changes, tools: changedTools(tools, before, after) };
}

function changeOf(field: PolicyField, a: ParsedPolicy, b: ParsedPolicy): PolicyChange | undefined {
  const [before, after] = [field.read(a), field.read(b)];
  if (canonicalJson([before ?? null]) === canonicalJson([after ?? null])) return undefined;
  const effect = effectOf(field.isWithin(b, a), field.isWithin(a, b));
  const show = (value: JsonValue) => field.shown?.(value) ?? value;
  const values = {
    ...(before === undefined ? {} : { before: show(before) }),
    ...(after === undefined ? {} : { after: show(after) }),
  };
  return { path: field.path, ...values, effect, sentence: sentenceOf(field.path, values, effect) };
}

function effectOf(isNarrower: boolean, isWider: boolean): PolicyEffect {
  if (isNarrower && isWider) return "same";
  if (isNarrower === isWider) return "changes";
  return isNarrower ? "narrows" : "widens";
}

const effects = {
  widens: "more is allowed",
  narrows: "less is allowed",
  changes: "some is allowed that was not, or the other way round",
  same: "it means the same",
} as const;

function sentenceOf(
  path: string,
  { before, after }: Pick<PolicyChange, "before" | "after">,
  effect: PolicyEffect,
): string {
  const name = path.slice(1).replaceAll("/", ".");
  return `${name} ${whatHappened(before, after)}: ${effects[effect]}.`;
}

function whatHappened(before: JsonValue | undefined, after: JsonValue | undefined): string {
  if (before === undefined) return `appears with ${inText(after)}`;
  if (after === undefined) return `goes away, and was ${inText(before)}`;
  if (!Array.isArray(before) || !Array.isArray(after)) {
    return inText(before) === inText(after)
      ? "is another"
      : `goes from ${inText(before)} to ${inText(after)}`;
  }
  const added = after.filter((entry) => !before.includes(entry));
  const dropped = before.filter((entry) => !after.includes(entry));
  return [
    ...(added.length === 0 ? [] : [`gains ${added.join(", ")}`]),
    ...(dropped.length === 0 ? [] : [`loses ${dropped.join(", ")}`]),
  ].join(" and ");
}

function inText(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.length === 0 ? "no entry" : value.join(", ");
  return typeof value === "object" ? canonicalJson(value) : String(value);
}

/** Nothing but the policy is to decide: everybody's scopes, and no agent's rules. */
const anybody = principalSchema.parse({ accountId: "anybody", keyId: "anybody", scopes, kind: "local" });

function changedTools(tools: readonly ContractTool[], a: ParsedPolicy, b: ParsedPolicy): ToolChange[] {
  const judgeBefore = compileRejudge([{ level: "agent", policy: a }]);
  const judgeAfter = compileRejudge([{ level: "agent", policy: b }]);
  return tools.flatMap((contract) => {
    const subject = {
      contract,
      principal: anybody,
      origin: "direct",
      surface: "plain",
      mode: "live",
    } as const;
    const before = explainedDecision(judgeBefore.rejudge(subject));
    const after = explainedDecision(judgeAfter.rejudge(subject));
    if (isSameDecision(before, after)) return [];
    const why = after.outcome === "allow" ? "" : `: ${after.reason}`;
    const sentence = `${contract.name} was ${inWords(before)} and is ${inWords(after)}${why}.`;
    return [{ tool: contract.name, toolDigest: contract.digest, before, after, sentence }];
  });
}
