import { type AgentEvent, type ContentRow, type JournalRecord, type Receipt } from "@spfunctions/contracts";
import { makeReceipt, type ReceiptFacts, signReceipt } from "../receipt/make-receipt.ts";
import type { Fields } from "../journal/record-draft.ts";
import type { CallNames } from "../time/ids.ts";
import type { Tool } from "../tool/define-tool.ts";
import type { CallHost, CallRequest } from "./call-host.ts";
import type { PreparedInput } from "./prepare-input.ts";

/** Sees a call's events as they happen. */
export type Watch = (event: AgentEvent) => void;

/** A call under way. */
export type Call = {
  readonly request: CallRequest;
  /** The part without meaning that all its names share. */
  readonly unique: string;
  readonly names: CallNames;
  readonly watch: Watch | undefined;
};

type OpeningBody = Omit<
  Extract<JournalRecord, { kind: "call.intended" }>,
  "v" | "seq" | "prev" | "ts" | "kind" | "effectId" | "idempotency" | "idempotencyKey" | "inputRedacted"
>;

/** A call that was allowed: everything that its records say of it before it ran. */
export type Allowed = Call & {
  readonly tool: Tool;
  readonly input: PreparedInput;
  readonly inputRow: ContentRow;
  readonly opening: OpeningBody;
  /** Of the opening, what other calls share with it, and what is this call's own. */
  readonly shared: Fields;
  readonly own: Pick<OpeningBody, "runId" | "callId" | "traceId" | "input">;
};

export function receiptOf(host: CallHost, request: CallRequest, facts: ReceiptFacts): Receipt {
  return asWanted(host, request, makeReceipt(facts));
}

/** A receipt, signed where its caller asked for it. */
export function asWanted(
  { signer }: CallHost,
  { signReceipt: isWanted }: CallRequest,
  receipt: Receipt,
): Receipt {
  return isWanted === true && signer !== undefined ? signReceipt(receipt, signer) : receipt;
}
