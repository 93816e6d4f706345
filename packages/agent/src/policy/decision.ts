import type { Verdict } from "@spfunctions/contracts";

/** An answer of the judge: `code` is `allowed`, or what the refusal is thrown as. */
export type Decision = {
  readonly outcome: Verdict["outcome"];
  /** The gate that stopped it. */
  readonly gate?: NonNullable<Verdict["gate"]>;
  readonly code: Verdict["code"];
};

/** The same with its words: why, and what would have allowed it. */
export type ExplainedDecision = Decision & { readonly reason: string; readonly remedy?: string };

export function decisionOf({ outcome, gate, code }: Verdict): Decision {
  return { outcome, ...(gate === undefined ? {} : { gate }), code };
}

export function explainedDecision(verdict: Verdict): ExplainedDecision {
  const { reason, remedy } = verdict;
  return { ...decisionOf(verdict), reason, ...(remedy === undefined ? {} : { remedy }) };
}

/** Whether two are the same to a program: by outcome, gate and code. The words may differ. */
export function isSameDecision(
  one: Pick<Verdict, "outcome" | "gate" | "code">,
  other: Pick<Verdict, "outcome" | "gate" | "code">,
): boolean {
  return one.outcome === other.outcome && one.gate === other.gate && one.code === other.code;
}

const participles = { allow: "allowed", deny: "refused", ask: "held for a person's approval" } as const;

/** `allowed`, `refused at gate deny (policy_denied)`. */
export function inWords({ outcome, gate, code }: Decision): string {
  return gate === undefined ? participles[outcome] : `${participles[outcome]} at gate ${gate} (${code})`;
}
