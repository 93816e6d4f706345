import type { ApprovalPolicy, BudgetPolicy, ParsedPolicy } from "@spfunctions/contracts";

/** How much, and when a person is asked. */
export function boundsSentences({ budget = {}, approvals, session }: ParsedPolicy): string[] {
  const limits = (Object.keys(budgets) as (keyof BudgetPolicy)[]).flatMap((name) =>
    budget[name] === undefined ? [] : [budgets[name].replace("#", `${budget[name]}`)],
  );
  return [
    ...(limits.length === 0 ? [] : [`A run takes at most ${limits.join(", ")}.`]),
    ...(approvals === undefined ? [] : approvalSentences(approvals)),
    ...(session === undefined
      ? []
      : [
          `A session ${session.persist ? "is kept" : "is not kept"}, lasts ${session.ttlMs} ms and has at most ${session.maxHistoryTokens} tokens of history.`,
        ]),
  ];
}

const budgets: { readonly [Limit in keyof Required<BudgetPolicy>]: string } = {
  maxSteps: "# steps",
  maxToolCalls: "# tool calls",
  maxTokens: "# tokens",
  maxWallMs: "# ms",
  budgetUsd: "# USD for models",
  maxChildren: "# children",
  maxDepth: "a depth of #",
};

function approvalSentences(rules: ApprovalPolicy): string[] {
  const { requireForSideEffectAtOrAbove: side, requireForCostEffectAtOrAbove: cost } = rules;
  const asked = [
    ...(side === undefined ? [] : [`a side effect of ${side} or above`]),
    ...(cost === undefined ? [] : [`a cost of ${cost} or above`]),
  ];
  return [
    asked.length === 0
      ? "It asks nobody: approvals says neither requireForSideEffectAtOrAbove nor requireForCostEffectAtOrAbove."
      : `A person is asked before ${asked.join(", and before ")}.`,
    ...(rules.ttlMs === undefined ? [] : [`An approval is good for ${rules.ttlMs} ms.`]),
    ...(rules.approvers === undefined || rules.approvers.length === 0
      ? []
      : [`Besides admin keys these may approve: ${rules.approvers.join(", ")}.`]),
    ...(rules.onDenied === undefined ? [] : [denied[rules.onDenied]]),
  ];
}

const denied = {
  continue: "Where a person says no, the run goes on without it.",
  fail: "Where a person says no, the run fails.",
} as const;
