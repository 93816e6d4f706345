import type { Principal, Scope } from "@spfunctions/contracts";

/** Who calls, as a person writes it. */
export type GivenPrincipal = {
  readonly accountId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly kind: Principal["kind"];
  readonly runId?: string | undefined;
};
