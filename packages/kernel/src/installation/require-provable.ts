import { type ApprovalPolicy, HostConfigurationNeededError } from "@spfunctions/contracts";
import type { Store } from "../store/store.ts";
import type { Installation } from "./installation.ts";

/** What a person answers is proved with the installation's secret. Where that ends with the process, an answer that is kept counts for nobody. */
export function requireProvable(
  store: Store,
  installation: Installation | undefined,
  { requireForSideEffectAtOrAbove: sideEffect, requireForCostEffectAtOrAbove: costEffect }: ApprovalPolicy,
): void {
  const asks = sideEffect !== undefined || costEffect !== undefined;
  if (!asks || installation !== undefined || !store.lasts()) return;
  throw new HostConfigurationNeededError(
    "a policy asks a person, and their answers are kept in a store that outlives this process, but not the secret that proves them; give an installation as well: loadInstallation({ env: process.env }).installation of @spfunctions/host/installation",
    { details: { reason: "no_installation" } },
  );
}

/**
 * Whether a person can be asked about a call: an operator must be able to open the store, and whoever goes on with the call must be able to
 * prove what they have answered.
 */
export function canAsk({
  store,
  installation,
}: {
  readonly store?: Store | undefined;
  readonly installation?: Installation | undefined;
}): boolean {
  return store !== undefined && (installation !== undefined || !store.lasts());
}
