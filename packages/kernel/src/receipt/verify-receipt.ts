// What somebody can check who trusts neither the agent nor us: the receipt against itself, against a trace, against a key.
import {
  canonicalJson,
  type ContentDigest,
  type ContentRow,
  InvalidInputError,
  isSimpleFunctionsError,
  parseAtDoor,
  type Receipt,
  receiptSchema,
} from "@spfunctions/contracts";
import { isSignedBy, signingKeyId } from "../installation/installation.ts";
import { isGiven, outputOf, recordedReceipt } from "../replay/recorded-answer.ts";
import type { Trace } from "../trace/read-trace.ts";
import { receiptText } from "./make-receipt.ts";

export type ReceiptCheck = {
  /** `answer`: what was kept beside the receipt, where whoever asks has that. */
  readonly check: "shape" | "verdict" | "trace" | "signature" | "answer";
  readonly result: "passed" | "failed" | "not_checked";
  readonly detail: string;
};

/** `authentic` only by a key that the asker brought; `consistent` says that nothing contradicts it, and nobody vouches. */
export type ReceiptVerification = {
  readonly status: "authentic" | "consistent" | "invalid";
  readonly checks: readonly ReceiptCheck[];
};

export type ReceiptEvidence = {
  readonly trace?: Trace | undefined;
  /** Ed25519 public keys that the asker knows, in base64url. */
  readonly publicKeys?: readonly string[] | undefined;
};

export function verifyReceipt(
  given: unknown,
  { trace, publicKeys = [] }: ReceiptEvidence = {},
): ReceiptVerification {
  const receipt = readReceipt(given);
  if (receipt instanceof Error) {
    return { status: "invalid", checks: [{ check: "shape", result: "failed", detail: receipt.message }] };
  }
  const checks: ReceiptCheck[] = [
    { check: "shape", result: "passed", detail: "it is a receipt" },
    checkVerdict(receipt),
    checkTrace(receipt, trace),
    checkSignature(receipt, publicKeys),
  ];
  if (checks.some(({ result }) => result === "failed")) return { status: "invalid", checks };
  const isSigned = checks.some(({ check, result }) => check === "signature" && result === "passed");
  return { status: isSigned ? "authentic" : "consistent", checks };
}

function readReceipt(given: unknown): Receipt | Error {
  try {
    return parseAtDoor(receiptSchema, given, "receipt", InvalidInputError);
  } catch (error) {
    if (isSimpleFunctionsError(error)) return error;
    throw error;
  }
}

function checkVerdict({ verdict, policyDigest, toolDigest, outputHash }: Receipt): ReceiptCheck {
  const check = "verdict";
  if (verdict.policyDigest !== policyDigest || verdict.toolDigest !== toolDigest) {
    return { check, result: "failed", detail: "its verdict is about another tool or another policy" };
  }
  const unasked = verdict.gates.find(({ result }) => result === "not_checked");
  if (verdict.outcome === "allow" && unasked !== undefined) {
    return { check, result: "failed", detail: `it says allowed, and gate ${unasked.gate} was not asked` };
  }
  if (verdict.outcome !== "allow" && outputHash !== undefined) {
    return { check, result: "failed", detail: "it was refused, and has an output all the same" };
  }
  return { check, result: "passed", detail: `${verdict.outcome}: ${verdict.reason}` };
}

function checkTrace(receipt: Receipt, trace: Trace | undefined): ReceiptCheck {
  const check = "trace";
  if (trace === undefined) return { check, result: "not_checked", detail: "no trace was given" };
  if (trace.verification.status === "broken") {
    const { seq, message } = trace.verification.broken;
    return { check, result: "failed", detail: `the trace cannot be trusted: record ${seq} ${message}` };
  }
  const call = trace.calls.get(receipt.callId);
  if (call === undefined) return { check, result: "failed", detail: "the trace has no such call" };
  const rowOf = (digest: ContentDigest | undefined) =>
    digest === undefined ? undefined : trace.content.get(digest.ref);
  const recorded = recordedReceipt(call, rowOf);
  const unknown = [
    ...(isErased(rowOf(call.opening.input)) ? ["inputHash"] : []),
    ...(isErased(rowOf(outputOf(call))) && isGiven(call) ? ["outputHash"] : []),
  ];
  const field = firstDifference(receipt, recorded, unknown);
  if (field !== undefined)
    return { check, result: "failed", detail: `the trace says otherwise about ${field}` };
  const same = `record ${receipt.seq} of the trace says the same`;
  if (unknown.length === 0) return { check, result: "passed", detail: same };
  const payloads = unknown.length === 1 ? "the payload is" : "the payloads are";
  const detail = `${same}, but ${unknown.join(" and ")} cannot be compared: ${payloads} not in it`;
  return { check, result: "not_checked", detail };
}

/** A record has no hash that somebody could guess a payload by: where the payload is gone, its hash is the receipt's word alone. */
function firstDifference(
  receipt: Receipt,
  recorded: Receipt,
  unknown: readonly string[],
): string | undefined {
  const { signature: _, ...claims } = receipt;
  const fields = new Set([...Object.keys(claims), ...Object.keys(recorded)]);
  return [...fields].find((field) => {
    const [claimed, kept] = [claims, recorded].map((one) => (one as Record<string, unknown>)[field]);
    if (unknown.includes(field)) return false;
    return canonicalJson(claimed ?? null) !== canonicalJson(kept ?? null);
  });
}

function isErased(row: ContentRow | undefined): boolean {
  return row !== undefined && "erased" in row;
}

function checkSignature(receipt: Receipt, publicKeys: readonly string[]): ReceiptCheck {
  const check = "signature";
  const { signature } = receipt;
  if (signature === undefined) return { check, result: "not_checked", detail: "it is not signed" };
  const key = publicKeys.find((one) => signingKeyId(one) === signature.keyId);
  if (key === undefined)
    return { check, result: "not_checked", detail: `signed by ${signature.keyId}, whose key was not given` };
  return isSignedBy(receiptText(receipt), signature, key)
    ? { check, result: "passed", detail: `signed by ${signature.keyId}` }
    : { check, result: "failed", detail: `the signature is not ${signature.keyId}'s` };
}
