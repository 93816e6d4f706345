// One law, two seats: the platform's tools as a pack of this side. What is called here is judged and journaled here, sent, and judged and
// journaled there; the effect's key travels along, and the platform's receipt comes back as what it is called there.
import {
  type ContractTool,
  type ErrorCode,
  hashText,
  isFreeRead,
  isSimpleFunctionsError,
  type JsonValue,
  leastKeyRetentionMs,
  type Receipt,
  RecoveryNeededError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { describedTool, type Tool, type ToolContext } from "@spfunctions/kernel";
import type { SimpleFunctions } from "@spfunctions/sdk";

/** What every platform keeps a key for: under it, a call that is sent again is answered and does not run again. */
const byKey = { type: "key", keyRetentionMs: leastKeyRetentionMs } as const;

/** How long the platform has to say how an approval stands, beside the time that it lets the question wait. */
const answerMs = 10_000;

/** How calls are sent. */
export type RemoteTerms = {
  /** The session that they belong to, at the platform as well: what is approved there for a session is approved in this one. */
  readonly sessionId?: string | undefined;
};

/** The tools of a platform that have a route, each as a tool of this process that sends its calls there. */
export function remotePack(
  client: SimpleFunctions,
  contracts: readonly ContractTool[],
  terms: RemoteTerms = {},
): Tool[] {
  return contracts
    .filter(({ http }) => http !== undefined)
    .map((contract) =>
      describedTool(contract, {
        ...(contract.sideEffect === "none" ? {} : { idempotency: byKey }),
        isElsewhere: true,
        run: (input, context) => send(client, contract, input, { ...terms, context }),
        answered: (approvalId, { waitMs, signal }) =>
          client.approvals.get(approvalId, { waitMs, signal, timeoutMs: waitMs + answerMs }),
      }),
    );
}

async function send(
  client: SimpleFunctions,
  contract: ContractTool,
  input: JsonValue,
  { context, sessionId }: RemoteTerms & { readonly context: ToolContext },
): Promise<unknown> {
  const { signal, origin, traceId, callId, timeoutMs, principal } = context;
  // What a model drives acts there with what its run was lent, and never with the key itself.
  const sender = principal.runId === undefined ? client : client.forRun(principal.runId);
  try {
    const { data, receipt } = await sender
      .callByContract(contract, input, {
        signal,
        timeoutMs,
        origin,
        toolDigest: contract.digest,
        sessionId,
        traceparent: `00-${traceId}-${hashText(callId).slice(7, 23)}-01`,
        ...(isFreeRead(contract) ? {} : { idempotencyKey: context.idempotencyKey }),
      })
      .withReceipt();
    noteReceipt(context, receipt);
    return data;
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    const receipt = error.details?.["receipt"] as Receipt | undefined;
    noteReceipt(context, receipt);
    throw contract.sideEffect === "none" ? error : unlessUnclear(contract, error, receipt);
  }
}

function noteReceipt(context: ToolContext, receipt: Receipt | undefined): void {
  if (receipt !== undefined)
    context.external({ operationId: receipt.callId, reconciliationRef: receipt.hash });
}

/** Codes of an answer without a receipt that do not say whether anything has happened there. */
const unclear = new Set<ErrorCode>(["upstream_error", "provider_failed", "timeout", "internal"]);

/** X1: where no answer came, or only that an earlier attempt is still at work, nobody says that nothing happened. */
function unlessUnclear(
  { name }: ContractTool,
  error: SimpleFunctionsError,
  receipt: Receipt | undefined,
): SimpleFunctionsError {
  // What refuses an attempt says nothing about one before it: only a call that was allowed has had its turn. Before a person is
  // asked, though, the key is looked for: where one is asked, nothing has begun under it.
  const saysAll = receipt?.verdict.outcome === "allow" || receipt?.verdict.outcome === "ask";
  const wasSentBefore = error.details?.["earlier"] === "outcome_unknown" && !saysAll;
  const isUnclear =
    wasSentBefore ||
    error.code === "idempotency_in_progress" ||
    (receipt === undefined && unclear.has(error.code));
  if (!isUnclear) return error;
  const { code, message, details } = error;
  return new RecoveryNeededError(`${name}: nobody knows whether it happened on the platform; ${message}`, {
    details: { ...details, tool: name, because: code },
    cause: error,
  });
}
