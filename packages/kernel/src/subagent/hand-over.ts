// What a child is told of its parent's history: what the policy names, to the byte, and nothing else. It is told in the recorded form,
// as every model is.
import {
  canonicalJson,
  type ContentRef,
  type ContextHandoffPolicy,
  type Digest,
  InvalidInputError,
  NotFoundError,
  type PolicyRef,
} from "@spfunctions/contracts";
import type { ModelMessage } from "../model/model-adapter.ts";
import { toldOf } from "../run/model/conversation.ts";
import { tokensIn } from "../run/state/run-budget.ts";

/** What there is to hand over. */
export type History = {
  /** The text of a content row of the parent's run; nothing where there is none, or it was erased. */
  readonly textOf: (ref: ContentRef) => string | undefined;
  /** Everything that the parent's model was told and has said. */
  readonly told: () => readonly ModelMessage[];
};

/** What was handed over, without its words. */
type HandoffAudit = {
  readonly variant: ContextHandoffPolicy["type"];
  readonly policyRef?: PolicyRef;
  readonly refs: ContentRef[];
  readonly messages: number;
  readonly bytes: number;
};

export type HandedOver = {
  readonly messages: readonly ModelMessage[];
  readonly audit: HandoffAudit;
  /** Over each message and all before it. */
  readonly digest: Digest;
};

export function handOver(policy: ContextHandoffPolicy, history: History): HandedOver {
  const refs = refsOf(policy);
  const { messages, bytes, digest } = toldOf(textsOf(policy, refs, history).map(asMessage));
  const audit = {
    variant: policy.type,
    ...(policy.type !== "none" && { policyRef: policy.policyRef }),
    refs,
    messages: messages.length,
    bytes,
  };
  return { messages, audit, digest };
}

function refsOf(policy: ContextHandoffPolicy): ContentRef[] {
  if (policy.type === "summary_only") return [policy.summaryRef];
  return policy.type === "selected_refs" ? [...policy.refs] : [];
}

function textsOf(policy: ContextHandoffPolicy, refs: readonly ContentRef[], history: History): string[] {
  if (policy.type === "full_history_with_policy") return [canonicalJson(history.told())];
  const texts = refs.map((ref) => requireText(ref, history));
  if (policy.type === "summary_only") requireShort(texts[0] ?? "", policy.maxTokens);
  return texts;
}

function asMessage(text: string): ModelMessage {
  return { role: "user", text };
}

function requireText(ref: ContentRef, { textOf }: History): string {
  const text = textOf(ref);
  if (text !== undefined) return text;
  throw new NotFoundError(
    `${ref} is no content of the parent's run, or was erased, or is withheld: nothing is handed over; name what is there`,
    { details: { reason: "no_content" } },
  );
}

/** Counted as what a model is shown is counted where nobody can count better, without what is put around it. */
function requireShort(summary: string, maxTokens: number): void {
  const tokens = tokensIn(Buffer.byteLength(summary)) - tokensIn(0);
  if (tokens <= maxTokens) return;
  throw new InvalidInputError(
    `the summary counts ${tokens} tokens, and ${maxTokens} may be handed over; make it shorter, or raise maxTokens`,
    { details: { path: "/handoff/maxTokens", reason: "too_large" } },
  );
}
