// What becomes of an execution: its output checked, put into its recorded form, and said as a record says it.
import {
  type ContentDigest,
  type ContentRow,
  type ErrorCode,
  errorReasonSchema,
  InvalidOutputError,
  type JournalRecord,
  redactText,
  type SecretRegistry,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { draftContent } from "../journal/record-draft.ts";
import type { DocumentWrite } from "../store/store.ts";
import { contentRef } from "../time/ids.ts";
import type { Tool } from "../tool/define-tool.ts";
import { checksOf } from "../tool/tool-checks.ts";
import type { CallHost } from "./call-host.ts";
import { freeze, type Payload, type Recorded, recordedForm } from "./payload.ts";
import type { Execution } from "./run-once.ts";
import { safeText } from "./safe-text.ts";

/** What a record says of an end. */
type OutcomeBody = Omit<
  Extract<JournalRecord, { kind: "call.settled" }>,
  "v" | "seq" | "prev" | "ts" | "kind" | "runId" | "callId" | "effectId"
>;

export type Conclusion = {
  readonly body: OutcomeBody;
  readonly content: readonly ContentRow[];
  readonly error?: SimpleFunctionsError;
  readonly output?: { readonly live: Payload; readonly recorded: Recorded };
};

/** What came of an attempt. */
export type Attempted = {
  readonly execution: Execution;
  readonly durationMs: number;
  readonly external: { readonly operationId?: string; readonly reconciliationRef?: string };
  /** What is to change together with the record of this end: only where the tool came to its own. */
  readonly documents?: readonly DocumentWrite[] | undefined;
};

export type Ended = Omit<Attempted, "documents"> & {
  /** Whether a host's policy has the last word on the output. */
  readonly held: boolean;
  /** What was hidden of the input. */
  readonly hidden?: SecretRegistry | undefined;
};

/** It never throws: an effect that has happened gets its record, whatever the tool gave back. */
export function conclude(host: CallHost, tool: Tool, unique: string, ended: Ended): Conclusion {
  try {
    return concludeEnded(host, tool, unique, ended);
  } catch {
    const { status } = ended.execution;
    const { name } = tool.contract;
    const error = new InvalidOutputError(`${name}: it ran, and what it gave back cannot be kept`, {
      details: { tool: name, reason: "not_keepable", effectExecuted: true },
    });
    const failure = failureContent(host, unique, error);
    const { durationMs } = ended;
    const spent = { toolCalls: 1, wallMs: durationMs };
    return { body: { status, error: failure.body, durationMs, spent }, content: [failure.row], error };
  }
}

function concludeEnded(host: CallHost, tool: Tool, unique: string, ended: Ended): Conclusion {
  const { execution, durationMs, external, hidden } = ended;
  const toolCalls = execution.status === "denied_before_execution" ? 0 : 1;
  const shared = {
    durationMs,
    spent: { toolCalls, wallMs: durationMs },
    ...(external.operationId === undefined ? {} : { externalOperationId: external.operationId }),
    ...(external.reconciliationRef === undefined ? {} : { reconciliationRef: external.reconciliationRef }),
  };
  if (execution.status !== "completed") {
    const { status, error } = execution;
    const failure = failureContent(host, unique, error);
    return { body: { status, error: failure.body, ...shared }, content: [failure.row], error };
  }
  const live = freeze(execution.output === undefined ? null : execution.output);
  const problem = live.type === "unreadable" ? live.problem : checksOf(tool).output(live.value);
  if (live.type === "unreadable" || problem !== undefined) {
    return invalid(host, tool, unique, { live, problem, shared, hidden });
  }
  const recorded = recordedForm(live, checksOf(tool).outputMarks, host.keyedHash, hidden);
  const output = draftContent(contentRef(unique, "output"), host.ids.salt(), recorded.text, recorded.hash);
  const held = ended.held ? { held: true as const } : {};
  const own = recorded.hidden && withoutSecrets(host, shared, recorded.hidden);
  return {
    body: { status: "completed", output: output.digest, ...shared, ...own, ...held },
    content: [output.row],
    output: { live, recorded },
  };
}

type ExternalNames = Pick<OutcomeBody, "externalOperationId" | "reconciliationRef">;

/** A tool may have named its operation by what its output hides. */
function withoutSecrets(
  { keyedHash }: CallHost,
  { externalOperationId, reconciliationRef }: ExternalNames,
  hidden: SecretRegistry,
): ExternalNames {
  const options = { keyedHash, alsoSecrets: hidden };
  return {
    ...(externalOperationId === undefined
      ? {}
      : { externalOperationId: safeText(externalOperationId, 512, options) }),
    ...(reconciliationRef === undefined
      ? {}
      : { reconciliationRef: safeText(reconciliationRef, 512, options) }),
  };
}

type Invalid = {
  readonly live: ReturnType<typeof freeze>;
  readonly problem: { readonly path: string; readonly reason: string; readonly message: string } | undefined;
  readonly shared: Pick<OutcomeBody, "durationMs" | "spent">;
  readonly hidden: SecretRegistry | undefined;
};

/** The effect has happened all the same: it is never tried again for its output. What came out is kept, and given to nobody. */
function invalid(host: CallHost, tool: Tool, unique: string, given: Invalid): Conclusion {
  const { live, problem, shared, hidden } = given;
  const { name } = tool.contract;
  const { reason = "not_json", message = "does not fit" } = problem ?? {};
  const path = redactText(problem?.path ?? "", { keyedHash: host.keyedHash, alsoSecrets: hidden });
  const error = new InvalidOutputError(
    `${name}: it ran, and its output does not fit its contract: ${path === "" ? "the output" : path} ${message}`,
    { details: { tool: name, path, reason, effectExecuted: true } },
  );
  const failure = failureContent(host, unique, error);
  if (live.type === "unreadable") {
    return { body: { status: "completed", error: failure.body, ...shared }, content: [failure.row], error };
  }
  const recorded = recordedForm(live, checksOf(tool).outputMarks, host.keyedHash, hidden);
  const output = draftContent(contentRef(unique, "output"), host.ids.salt(), recorded.text, recorded.hash);
  return {
    body: { status: "completed", output: output.digest, error: failure.body, ...shared },
    content: [output.row, failure.row],
    error,
  };
}

/** An error's message may quote what it is about, so that it lies beside the record and can be erased. */
export function failureContent(
  { ids }: Pick<CallHost, "ids">,
  unique: string,
  { code, message, details }: Pick<SimpleFunctionsError, "code" | "message" | "details">,
): {
  readonly body: { readonly code: ErrorCode; readonly message: ContentDigest; readonly reason?: string };
  readonly row: ContentRow;
} {
  const { digest, row } = draftContent(contentRef(unique, "error"), ids.salt(), message.toWellFormed());
  const { data: reason } = errorReasonSchema.safeParse(details?.reason);
  return { body: { code, message: digest, ...(reason !== undefined && { reason }) }, row };
}
