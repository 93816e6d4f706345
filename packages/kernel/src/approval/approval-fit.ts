import {
  type Approval,
  type ContractTool,
  canonicalJson,
  type Digest,
  type Gate,
  hashInput,
  type HiddenPart,
  type JsonValue,
  type Principal,
  type SessionId,
} from "@spfunctions/contracts";

/** The call that a person is asked about. */
export type Wanted = {
  readonly asker: Principal;
  readonly contract: Pick<ContractTool, "name" | "digest" | "sideEffect" | "costEffect">;
  /** The recorded input: what the person sees is what was hashed. */
  readonly input: JsonValue;
  readonly inputHash: Digest;
  readonly policyDigest: Digest;
  /** Whether the host has a rule without an id and a version: then the digest is of its text in this process. */
  readonly isRuleUnnamed?: boolean | undefined;
  readonly sessionId?: SessionId | undefined;
  /** The gate that asks. */
  readonly gate?: Gate | undefined;
  /** The parts of the input that the person is not shown, and that its tool does not declare. */
  readonly hidden?: readonly HiddenPart[] | undefined;
};

/** What an approval is bound to. */
type Bound = Pick<Approval, "asker" | "toolDigest" | "inputHash" | "policyDigest">;

/** A1: what an approval is for, as one name. */
export function fitOf({ asker, toolDigest, inputHash, policyDigest }: Bound): Digest {
  return hashInput({ asker, toolDigest, inputHash, policyDigest });
}

export function boundOf({ asker, contract, inputHash, policyDigest }: Wanted): Bound {
  return { asker, toolDigest: contract.digest, inputHash, policyDigest };
}

/** In what an approval is for another call; nothing where it is for this one. */
export function mismatchOf(approval: Approval, wanted: Wanted): string | undefined {
  if (approval.erased === true) return "what it was about was erased";
  if (canonicalJson(approval.asker) !== canonicalJson(wanted.asker)) return "somebody else asked for it";
  if (approval.tool !== wanted.contract.name) return "it is for another tool";
  if (approval.toolDigest !== wanted.contract.digest) return "the tool was changed since";
  if (approval.inputHash !== wanted.inputHash) return "it is for another input";
  if (approval.policyDigest === wanted.policyDigest) return undefined;
  return wanted.isRuleUnnamed === true
    ? "the policy was changed since, or the host's rule: it has no id and no version, so that nobody knows it again in another process; give it both: rules: [{ id, version, evaluatePreTool }]"
    : "the policy was changed since";
}
