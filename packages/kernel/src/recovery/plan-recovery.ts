import {
  type Approval,
  type ContentRow,
  hashText,
  isSimpleFunctionsError,
  type JournalRecord,
  type JsonValue,
  type Principal,
} from "@spfunctions/contracts";
import type { CallHost } from "../call/call-host.ts";
import { canReconcile, seesItThrough } from "../call/executors.ts";
import { approvedBy, judgeInput } from "../call/judge-input.ts";
import type { PreparedInput } from "../call/prepare-input.ts";
import { readPayload } from "../journal/read-payload.ts";
import type { Judgement } from "../judge/judge.ts";
import type { Tool } from "../tool/define-tool.ts";

export type Intent = Extract<JournalRecord, { kind: "call.intended" }>;

/**
 * What can be done about an effect that was begun and whose end nobody saw. `leave`: whoever opens here cannot say; somebody
 * with the tool, or under a policy that allows it, still can.
 */
export type Plan =
  | {
      readonly type: "retry" | "reconcile";
      readonly tool: Tool;
      /** `null` where it was erased, of a tool that goes on without it. */
      readonly input: JsonValue;
      /** Whether the tool can say what became of it. */
      readonly canAsk: boolean;
    }
  | { readonly type: "unknown"; readonly reason: string }
  | { readonly type: "leave"; readonly reason: string };

/** By the idempotency that was declared when it was begun, and only if it would still be allowed today. */
export async function planRecovery(
  host: CallHost,
  intent: Intent,
  row: ContentRow | undefined,
): Promise<Plan> {
  // R1: what was replayed never ran, and never runs.
  if (intent.replayed === true) return unknown("it was only replayed");
  const tool = host.registry.tools.get(intent.tool);
  const kept = row !== undefined && "text" in row ? row : undefined;
  // What sees its calls through acts on nothing but what is on record, and knows by a call what it has begun for it.
  const isSeenThrough = tool !== undefined && seesItThrough(tool);
  if (intent.inputRedacted === true && !isSeenThrough)
    return unknown("its input held a secret, which is kept nowhere");
  if (kept === undefined && !isSeenThrough) return unknown("its input was erased");
  if (tool === undefined) return { type: "leave", reason: "its tool is not here" };
  if (tool.contract.digest !== intent.toolDigest)
    return unknown("the tool is no longer the one that was called");
  const obstacle = obstacleToRepeating(intent, host.clock.now());
  const canAsk = canReconcile(tool);
  if (obstacle !== undefined && !canAsk) return unknown(obstacle);
  // I1: nobody's effect is run for somebody else.
  if (!isSameCaller(intent.principal, host.principal))
    return {
      type: "leave",
      reason: `it was called by ${intent.principal.keyId}, and is settled when that key comes again`,
    };
  const input = kept && inputIn(kept.text);
  if (kept !== undefined && input === undefined) return unknown("its input cannot be read");
  const { verdict } = await judgeNow(host, intent, tool, input);
  if (verdict.outcome !== "allow")
    return { type: "leave", reason: `it is not allowed now: ${verdict.reason}` };
  const value = input?.live.value ?? null;
  return { type: obstacle === undefined ? "retry" : "reconcile", tool, input: value, canAsk };
}

/** Of an input that was erased nothing can be asked any more. */
async function judgeNow(
  host: CallHost,
  intent: Intent,
  tool: Tool,
  input: PreparedInput | undefined,
): Promise<Judgement> {
  const { origin } = intent;
  if (input === undefined)
    return host.judge.judge({ tool: tool.contract.name, origin, spent: host.budget?.used() });
  const approval = await approvalHere(host, intent, input);
  const terms = { ...(approval && approvedBy(approval)), ranBy: intent.grant?.grantId };
  return await judgeInput({ ...host, origin }, intent, tool, input, terms);
}

/**
 * B1, B22: an intent only says that it was approved. What proves it is the approval: used by this call, for this input. A1: what was
 * approved elsewhere lifts nothing that this side asks for.
 */
async function approvalHere(
  { approvals, principal }: CallHost,
  { approval, callId, toolDigest }: Intent,
  { recorded }: PreparedInput,
): Promise<Approval | undefined> {
  const id = approval?.elsewhere === undefined ? approval?.approvalId : approval.elsewhere.sentBy;
  const kept = id === undefined ? undefined : await approvals.read(principal.accountId, id);
  if (kept === undefined) return undefined;
  const { status, usedBy, ...bound } = kept.value;
  const isThisCall = status === "used" && usedBy === callId;
  const isForIt = isThisCall && bound.toolDigest === toolDigest && bound.inputHash === recorded.hash;
  return isForIt ? kept.value : undefined;
}

function isSameCaller(one: Principal, other: Principal): boolean {
  return one.accountId === other.accountId && one.keyId === other.keyId && one.kind === other.kind;
}

/** A recorded input that holds no secret is the one that ran. */
export function inputIn(text: string): PreparedInput | undefined {
  try {
    const live = { type: "payload", text, value: readPayload(text) } as const;
    return { type: "prepared", live, recorded: { text, hash: hashText(text), redacted: [] } };
  } catch (error) {
    if (isSimpleFunctionsError(error)) return undefined;
    throw error;
  }
}

function obstacleToRepeating({ idempotency, ts }: Intent, now: number): string | undefined {
  if (idempotency.type === "natural") return undefined;
  if (idempotency.type === "none") return "repeating it could do it twice";
  // Half, so that whoever deduplicates by the key still remembers it when the retry arrives.
  const age = now - Date.parse(ts);
  const isFresh = age >= 0 && age <= idempotency.keyRetentionMs / 2;
  return isFresh ? undefined : "its key is too old to be remembered";
}

function unknown(reason: string): Plan {
  return { type: "unknown", reason };
}
