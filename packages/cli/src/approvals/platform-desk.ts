import {
  type Approval,
  type CapabilityGrant,
  errorFor,
  isSimpleFunctionsError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import type { CapabilityAnswers, GrantTerms } from "@spfunctions/kernel";
import type { GrantAnswerInput, Grants } from "@spfunctions/sdk";
import type { CommandContext } from "../command-line/command-context.ts";
import type { Reached } from "../platform/reach-remote.ts";
import type { ApprovalDesk } from "./approval-desk.ts";

/** The approvals and capabilities of a platform, as far as the key sees them that it is asked with. */
export function platformDesk(
  { client: { approvals, grants }, where, close }: Reached,
  options: string,
  { io: { signal } }: Pick<CommandContext, "io">,
): ApprovalDesk {
  return {
    where,
    options,
    isByKey: true,
    accounts: async () => [],
    list: (status) =>
      told(async () => {
        const found: Approval[] = [];
        for await (const one of approvals.list({ status, limit: 100, signal })) found.push(one);
        return found;
      }),
    get: (approvalId) => told(() => approvals.get(approvalId, { signal })),
    answer: (approvalId, given) => told(() => approvals.answer(approvalId, given, { signal })),
    grants: () => told(() => approvals.grants({ signal })),
    revoke: (grantId) => told(() => approvals.revoke(grantId, { signal })),
    capabilities: platformCapabilities(grants, signal),
    close,
  };
}

function platformCapabilities(grants: Grants, signal: AbortSignal): CapabilityAnswers {
  const say = async (grantId: string, given: GrantAnswerInput) =>
    await told(() => grants.answer(grantId, given, { signal }), "sf grants ls --status any has what stands");
  return {
    list: (which) =>
      told(async () => {
        const found: CapabilityGrant[] = [];
        for await (const one of grants.list({ ...which, limit: 100, signal })) found.push(one);
        return found;
      }),
    grant: async (named, terms?: GrantTerms) => {
      const { scope, forMs, note, ...whom } = terms ?? {};
      const howFar = { scope, forMs, note };
      if (named.startsWith("cap_")) return await say(named, { answer: "granted", ...howFar });
      const given = { capability: named, ...howFar, ...whom };
      return await told(() => grants.grant(given, { signal }), "sf grants ls has what stands");
    },
    deny: (grantId, how) => say(grantId, { answer: "denied", ...how }),
    revoke: (grantId, how) => say(grantId, { answer: "revoked", ...how }),
  };
}

/** The same error, with what somebody at a terminal can do about it. */
async function told<Answer>(
  ask: () => Promise<Answer>,
  whereItStands = "sf approvals show has what stands, and saying the same again does no harm",
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw isSimpleFunctionsError(error) ? explained(error, whereItStands) : error;
  }
}

function explained(error: SimpleFunctionsError, whereItStands: string): SimpleFunctionsError {
  const { code, details, message, retry } = error;
  const saying = (text: string) => errorFor(code, text, { ...(details && { details }), retry, cause: error });
  if (details?.reason === "outcome_unknown") return saying(`no answer came (${code}); ${whereItStands}`);
  if (code === "invalid_api_key")
    return saying(
      "the platform does not take the key that was used: it was revoked, has expired or is another platform's. Give one with the scope admin in --key-file or SF_API_KEY",
    );
  if (code === "forbidden")
    return saying(`${message}; name the file of such a key with --key-file, or put it into SF_API_KEY`);
  return error;
}
