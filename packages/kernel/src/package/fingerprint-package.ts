import {
  canonicalJson,
  hashText,
  type PackageContent,
  type PackageFingerprint,
  packageFingerprintMethod,
  type RuntimePackage,
} from "@spfunctions/contracts";
import { orderPackage } from "./order-package.ts";

/** The identity of what a package says, in whatever order it says it. */
export function fingerprintPackage(content: PackageContent): PackageFingerprint {
  const digest = hashText(canonicalJson(orderPackage(content)));
  return digest.replace("sha256", packageFingerprintMethod) as PackageFingerprint;
}

/** A package without what its fingerprint is not over: the fingerprint itself, and what is volatile. */
export function contentOf(runtimePackage: RuntimePackage): PackageContent {
  const { fingerprint: _, volatile: __, ...content } = runtimePackage;
  return content;
}
