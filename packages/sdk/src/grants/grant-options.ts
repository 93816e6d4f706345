import {
  type CapabilityAnswer,
  capabilityAnswerSchema,
  capabilityGrantIdSchema,
  capabilityReach,
  type CapabilityStatus,
  capabilityStatusSchema,
  type GrantScope,
  grantScopeSchema,
  refuseUnknown,
} from "@spfunctions/contracts";
import type { ReachOptions } from "../options/call-options.ts";
import { malformed, requireWhole } from "../options/check-options.ts";
import { checkReach } from "../options/check-reach.ts";
import { queryOf } from "../wire/query-of.ts";

export type GrantsListOptions = ReachOptions & {
  /** What waits for an answer and what is granted, unless told. */
  readonly status?: CapabilityStatus | "any" | undefined;
  readonly limit?: number | undefined;
  /** Where an earlier page said to read on. */
  readonly after?: string | undefined;
};

/** How far a grant goes. */
type HowFar = {
  /** For one call unless given. */
  readonly scope?: GrantScope | undefined;
  /** Milliseconds; an hour unless given. What is granted `until` a time says how long. */
  readonly forMs?: number | undefined;
  readonly note?: string | undefined;
};

/** What nobody has asked for: `net`, `net:<host>` or `net:*.<host>`. */
export type GrantInput = HowFar & {
  readonly capability: string;
  /** Whom it is for: everybody in the account unless given. */
  readonly keyId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly runId?: string | undefined;
};

/** What an operator says of a question or a grant. How far it goes is said with a yes. */
export type GrantAnswerInput =
  | (HowFar & { readonly answer: "granted" })
  | { readonly answer: Exclude<CapabilityAnswer, "granted">; readonly note?: string | undefined };

export function grantsQuery(options: GrantsListOptions): string {
  checkReach(options, "grants", ["status", "limit", "after"]);
  const { status, limit, after } = options;
  if (status !== undefined && status !== "any" && !capabilityStatusSchema.safeParse(status).success)
    throw malformed("status", `is one of ${capabilityStatusSchema.options.join(", ")}, any`);
  if (limit !== undefined) requireWhole(limit, "limit", 1);
  return queryOf({ status, limit, after });
}

export function grantBody(given: GrantInput): string {
  refuseUnknown(
    given,
    ["capability", "scope", "forMs", "note", "keyId", "sessionId", "runId"],
    "grant option",
  );
  if (typeof given.capability !== "string" || capabilityReach(given.capability) === undefined)
    throw malformed(
      "capability",
      "is net, net:<host> or net:*.<host>, a host by its exact name in lower case",
    );
  checkHowFar(given);
  return JSON.stringify(given);
}

/** An answer that is none is not sent: not "grant", and not "yes". */
export function grantAnswerBody(given: GrantAnswerInput): string {
  if (!capabilityAnswerSchema.safeParse(given.answer).success)
    throw malformed("answer", `is one of ${capabilityAnswerSchema.options.join(", ")}`);
  const howFar = given.answer === "granted" ? ["scope", "forMs"] : [];
  refuseUnknown(given, ["answer", "note", ...howFar], "answer option");
  if (given.answer === "granted") checkHowFar(given);
  return JSON.stringify(given);
}

export function requireCapabilityGrantId(grantId: string): string {
  if (capabilityGrantIdSchema.safeParse(grantId).success) return grantId;
  throw malformed("grantId", "is no whole id of one: that is cap_ and all that follows, as it was given");
}

function checkHowFar({ scope, forMs }: HowFar): void {
  if (scope !== undefined && !grantScopeSchema.safeParse(scope).success)
    throw malformed("scope", `is one of ${grantScopeSchema.options.join(", ")}`);
  if (forMs !== undefined && !(Number.isSafeInteger(forMs) && forMs > 0))
    throw malformed("forMs", "is a whole number of milliseconds above 0");
}
