// A package is checked as a whole wherever it comes from: built, changed by a delta, or read back. Then it is frozen.
import {
  checkAtDoor,
  ContractViolationError,
  InvalidPackageError,
  type JsonObject,
  jsonObjectSchema,
  type PackageDraft,
  packageDraftSchema,
  parseAtDoor,
  type RuntimePackage,
  runtimePackageSchema,
} from "@spfunctions/contracts";
import { checkCapabilities } from "./check-capabilities.ts";
import { checkHooks } from "./check-hooks.ts";
import { checkOutputContract } from "./check-output-contract.ts";
import { checkRoutes } from "./check-routes.ts";
import { checkSidecars } from "./check-sidecars.ts";
import { fingerprintPackage } from "./fingerprint-package.ts";
import { orderPackage } from "./order-package.ts";
import { packageFault } from "./package-fault.ts";
import { requireFilled } from "./require-filled.ts";

const what = "runtime package";

/** A draft as it comes from outside: copied once, with nothing missing and nothing unknown in it. */
export function readDraft(value: unknown): PackageDraft {
  const plain = parseAtDoor(jsonObjectSchema, value, what, InvalidPackageError);
  requireFilled(plain);
  return checkAtDoor(packageDraftSchema, plain, what, InvalidPackageError);
}

/** Makes a package of a draft, or says what in it does not fit together. */
export function sealDraft({ volatile, ...content }: PackageDraft): RuntimePackage {
  checkCapabilities(content);
  checkSidecars(content);
  checkRoutes(content);
  checkHooks(content);
  checkOutputContract(content);
  const sealed = { ...orderPackage(content), fingerprint: fingerprintPackage(content), volatile };
  // Plain already: a draft was read, and what is added to it was made here.
  return checkAtDoor(runtimePackageSchema, sealed as JsonObject, what, InvalidPackageError);
}

/** Reads a package back. What was changed since it was made is refused, also where it would be sound by itself. */
export function parseRuntimePackage(value: unknown): RuntimePackage {
  const { fingerprint, ...draft } = parseAtDoor(jsonObjectSchema, value, what, InvalidPackageError);
  const sealed = sealDraft(readDraft(draft));
  if (sealed.fingerprint !== fingerprint) {
    throw packageFault(ContractViolationError, {
      path: "/fingerprint",
      reason: "fingerprint_mismatch",
      message: "the fingerprint is not that of what the package says; it was changed after it was made",
    });
  }
  return sealed;
}
