import type { Receipt } from "@spfunctions/contracts";
import { whoText } from "../approvals/approval-facts.ts";

export type WhoseReceipt = {
  /** The receipt of this side of a call that a platform makes: of the key's scopes it knows nothing. */
  readonly isAgents?: boolean;
};

/** The five answers of one call, a line each. */
export function fiveAnswers(
  receipt: Receipt,
  whose: WhoseReceipt = {},
): readonly (readonly [string, string])[] {
  return [
    ["who", who(receipt, whose)],
    ["what", what(receipt)],
    ["may it", mayIt(receipt)],
    ["price and risk", priceAndRisk(receipt)],
    ["proof", proof(receipt)],
  ];
}

function who({ principal, origin }: Receipt, { isAgents = false }: WhoseReceipt): string {
  // The agent's principal stands for any key: which scopes this one has, only its platform knows.
  const own = `scopes ${principal.scopes.join(" ") || "none"}`;
  const scopes = isAgents && principal.kind === "key" ? "with the scopes it has at the platform" : own;
  return `${whoText(principal)}, ${scopes}, ${origin}`;
}

function what({ tool, toolDigest, inputHash }: Receipt): string {
  const contract = toolDigest === undefined ? "no such tool" : `contract ${short(toolDigest)}`;
  return `${tool}, ${contract}, input ${inputHash === undefined ? "not looked at" : short(inputHash)}`;
}

function mayIt(receipt: Receipt): string {
  const { outcome, gate, reason, policyDigest } = receipt.verdict;
  const decision = gate === undefined ? outcome : `${outcome} at gate ${gate}`;
  return `${decision}: ${reason}${byApproval(receipt)}; policy ${short(policyDigest)}`;
}

/** A receipt names the approval of a call that a person has refused, too: only what has run was approved. */
function byApproval({ approvalId, verdict: { outcome }, spent: { toolCalls = 0 } }: Receipt): string {
  if (approvalId === undefined) return "";
  return `; ${outcome === "allow" && toolCalls > 0 ? "approved" : "asked"}: ${approvalId}`;
}

function priceAndRisk({ sideEffect, costEffect, spent }: Receipt): string {
  const effects = `side effect ${sideEffect ?? "unknown"}, cost ${costEffect ?? "unknown"}`;
  const { toolCalls = 0 } = spent;
  const calls = toolCalls === 0 ? "nothing ran" : toolCalls === 1 ? "1 call" : `${toolCalls} calls`;
  return `${effects}; ${calls}${spent.wallMs === undefined ? "" : `, ${durationText(spent.wallMs)}`}`;
}

function proof({ seq, hash, traceId, signature }: Receipt): string {
  const signer = signature === undefined ? "not signed" : `signed by ${signature.keyId}`;
  return `record ${seq}, ${short(hash)}, trace ${traceId}, ${signer}`;
}

/** Enough of a digest to recognise it. */
function short(digest: string): string {
  return `${digest.slice(0, 19)}…`;
}

export function durationText(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}
