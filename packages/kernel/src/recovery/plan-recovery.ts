import { type ContentRow, type JournalRecord, type JsonValue } from "@spfunctions/contracts";
import { readPayload } from "../journal/read-payload.ts";
import type { CallHost } from "../call/call-host.ts";
import { canReconcile } from "../call/executors.ts";
import type { Tool } from "../tool/define-tool.ts";

export type Intent = Extract<JournalRecord, { kind: "call.intended" }>;

/**
 * What can be done about an effect that was begun and whose end nobody saw. `leave`: whoever opens here cannot say; somebody
 * with the tool, or under a policy that allows it, still can.
 */
export type Plan =
  | { readonly type: "retry" | "reconcile"; readonly tool: Tool; readonly input: JsonValue }
  | { readonly type: "unknown"; readonly reason: string }
  | { readonly type: "leave"; readonly reason: string };

/** By the idempotency that was declared when it was begun, and only if it would still be allowed today. */
export function planRecovery(
  { registry, judge, clock }: CallHost,
  intent: Intent,
  row: ContentRow | undefined,
): Plan {
  // R1: what was replayed never ran, and never runs.
  if (intent.replayed === true) return unknown("it was only replayed");
  if (intent.inputRedacted === true) return unknown("its input held a secret, which is kept nowhere");
  const input = row !== undefined && "text" in row ? row : undefined;
  if (input === undefined) return unknown("its input was erased");
  const tool = registry.tools.get(intent.tool);
  if (tool === undefined) return { type: "leave", reason: "its tool is not here" };
  if (tool.contract.digest !== intent.toolDigest)
    return unknown("the tool is no longer the one that was called");
  const obstacle = obstacleToRepeating(intent, clock.now());
  if (obstacle !== undefined && !canReconcile(tool)) return unknown(obstacle);
  const value = readPayload(input.text);
  const { verdict } = judge.judge({
    tool: intent.tool,
    origin: intent.origin,
    input: { type: "live", value, text: input.text },
    // The host's own policy was asked before it was begun, and answered for this very call.
    preTool: { outcome: "allow" },
  });
  if (verdict.outcome !== "allow")
    return { type: "leave", reason: `it is not allowed now: ${verdict.reason}` };
  return { type: obstacle === undefined ? "retry" : "reconcile", tool, input: value };
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
