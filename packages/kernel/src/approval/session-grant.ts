import {
  type Approval,
  canonicalJson,
  type GrantId,
  hasPlaceholder,
  InvalidInputError,
  isJsonPointer,
  type JsonValue,
  type Principal,
  readJsonPointer,
  type StandingGrant,
} from "@spfunctions/contracts";
import { isForSession, mayStand } from "./standing-grants.ts";

/** How far a yes for a session goes; the less is said, the further. */
export type SessionTerms = {
  /** Members of the input that must stay as they are in what was shown, as JSON pointers. */
  readonly fixed?: readonly string[] | undefined;
  readonly maxUses?: number | undefined;
  /** Milliseconds; an hour unless given. */
  readonly forMs?: number | undefined;
};

/**
 * How long a standing grant holds that says nothing else.
 * @limit approval.sessionMs | the grant is over | `--for` of `sf approvals approve --for-session`, `forMs` of an answer
 */
const defaultForMs = 3_600_000;
/**
 * How long a standing grant may hold.
 * @limit approval.longestSessionMs | `invalid_input` | fixed: what holds for longer is a policy
 */
const mostForMs = 30 * 24 * 3_600_000;

/** What a yes for a session allows. */
export function standingGrant(
  approval: Approval,
  made: { readonly grantId: GrantId; readonly grantedBy: Principal; readonly now: number },
  { fixed, maxUses, forMs = defaultForMs }: SessionTerms,
): StandingGrant {
  const { asker, tool, toolDigest, policyDigest, sessionId, sideEffect } = approval;
  if (sessionId === undefined)
    throw bad("it was not asked within a session: approve this one call", "no_session");
  if (!mayStand(sideEffect))
    throw bad(`what is ${sideEffect} is asked about every time: approve this one call`, "side_effect");
  if (approval.gate === "pre_tool")
    throw bad("the host's own policy asks about this call: approve this one call", "pre_tool");
  if (!isForSession(approval))
    throw bad("parts of its input are hidden: approve this one call", "hidden_parts");
  if (maxUses !== undefined && !(Number.isSafeInteger(maxUses) && maxUses > 0))
    throw bad("maxUses is a whole number above 0", "max_uses");
  if (!(Number.isFinite(forMs) && forMs > 0 && forMs <= mostForMs))
    throw bad(`forMs is a number of milliseconds from 1 to ${mostForMs}`, "for_ms");
  return {
    grantId: made.grantId,
    principal: asker,
    tool,
    toolDigest,
    policyDigest,
    sessionId,
    ...(fixed !== undefined && { fixedInput: fixedIn(approval.input as JsonValue, fixed) }),
    ...(maxUses !== undefined && { maxUses }),
    uses: 0,
    expiresAt: new Date(made.now + forMs).toISOString(),
    grantedBy: made.grantedBy,
  };
}

function fixedIn(input: JsonValue, fixed: readonly string[]): Record<string, JsonValue> {
  return Object.fromEntries(
    fixed.map((pointer) => {
      const value = isJsonPointer(pointer) ? readJsonPointer(input, pointer) : undefined;
      if (value === undefined) throw bad(`the input that was shown has nothing at ${pointer}`, "fixed");
      if (hasPlaceholder(canonicalJson(value)))
        throw bad(
          `what stands at ${pointer} is hidden, and cannot be fixed: approve this one call`,
          "hidden_parts",
        );
      return [pointer, value];
    }),
  );
}

function bad(message: string, reason: string): InvalidInputError {
  return new InvalidInputError(message, { details: { reason } });
}
