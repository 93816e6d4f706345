import {
  type Approval,
  errorFor,
  isSimpleFunctionsError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { Reached } from "../platform/reach-remote.ts";
import type { ApprovalDesk } from "./approval-desk.ts";

/** The approvals of a platform, as far as the key sees them that it is asked with. */
export function platformDesk(
  { client: { approvals }, where, close }: Reached,
  options: string,
  { io: { signal } }: Pick<CommandContext, "io">,
): ApprovalDesk {
  return {
    where,
    options,
    isByKey: true,
    // A platform drives its own.
    masterOf: async (runId) => runId,
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
    close,
  };
}

/** The same error, with what somebody at a terminal can do about it. */
async function told<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw isSimpleFunctionsError(error) ? explained(error) : error;
  }
}

function explained(error: SimpleFunctionsError): SimpleFunctionsError {
  const { code, details, message, retry } = error;
  const saying = (text: string) => errorFor(code, text, { ...(details && { details }), retry, cause: error });
  if (details?.reason === "outcome_unknown")
    return saying(
      `no answer came (${code}); sf approvals show has what stands, and saying the same again does no harm`,
    );
  if (code === "invalid_api_key")
    return saying(
      "the platform does not take the key that was used: it was revoked, has expired or is another platform's. Give one with the scope admin in --key-file or SF_API_KEY",
    );
  if (code === "forbidden")
    return saying(`${message}; name the file of such a key with --key-file, or put it into SF_API_KEY`);
  return error;
}
