import type { TraceSeal } from "@spfunctions/contracts";
import { isSignedBy, signingKeyId, traceSealText } from "@spfunctions/kernel";

/** Whose word the seal of a trace is. */
export type SealCheck = {
  readonly status: "authentic" | "signer_unknown" | "not_signed" | "forged";
  readonly detail: string;
};

/** Against the keys that the asker knows. */
export function checkSeal(seal: TraceSeal["seal"] | undefined, publicKeys: readonly string[]): SealCheck {
  if (seal?.signature === undefined) {
    return {
      status: "not_signed",
      detail: seal === undefined ? "it has no seal to sign" : "its seal is not signed",
    };
  }
  const { keyId } = seal.signature;
  const key = publicKeys.find((one) => signingKeyId(one) === keyId);
  if (key === undefined)
    return { status: "signer_unknown", detail: `signed by ${keyId}, whose key is not known here` };
  return isSignedBy(traceSealText(seal), seal.signature, key)
    ? { status: "authentic", detail: `signed by ${keyId}` }
    : { status: "forged", detail: `the signature is not ${keyId}'s` };
}
