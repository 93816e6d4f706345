import {
  type AgentEvent,
  type ContentRow,
  type JournalRecord,
  type Receipt,
  type RunId,
} from "@spfunctions/contracts";
import type { Approved } from "../approval/approvals.ts";
import type { GrantInUse } from "../capability/capabilities.ts";
import type { CallSegment } from "../journal/account-journal.ts";
import type { Fields } from "../journal/record-draft.ts";
import { makeReceipt, type ReceiptFacts, signReceipt } from "../receipt/make-receipt.ts";
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
  /** Waits for a person while others of its run may go on. */
  readonly idle?: Idle | undefined;
  /** Somebody else looks after it while it waits: where that is on record, it is left. */
  readonly isLeftWaiting?: boolean | undefined;
  /** What whoever proposed it had read just before: a person who is asked about it is told. */
  readonly readBefore?: readonly string[] | undefined;
};

/** Waits for something, and meanwhile takes no place of a run's calls in flight. */
export type Idle = <Seen>(wait: () => Promise<Seen>) => Promise<Seen>;

/** A call within a run: what names it, what it gives up while it waits, and what its model had read. */
export type PlacedCall = Pick<Call, "unique" | "idle" | "readBefore"> & { readonly runId: RunId };

type OpeningBody = Omit<
  Extract<JournalRecord, { kind: "call.intended" }>,
  | "v"
  | "seq"
  | "prev"
  | "ts"
  | "kind"
  | "effectId"
  | "idempotency"
  | "idempotencyKey"
  | "inputRedacted"
  | "waited"
>;

/** A call that was allowed: everything that its records say of it before it ran. */
export type Allowed = Call & {
  readonly tool: Tool;
  readonly input: PreparedInput;
  readonly inputRow: ContentRow;
  readonly opening: OpeningBody;
  /** Of the opening, what other calls share with it, and what is this call's own. */
  readonly shared: Fields;
  readonly own: Pick<OpeningBody, "runId" | "callId" | "traceId" | "input" | "grant">;
  /** Where it needs a capability: by which grant it has it. */
  readonly use?: GrantInUse | undefined;
  /** Where a person had to approve it: by what it runs. */
  readonly approved?: Approved | undefined;
  /** Where it has waited, and goes on. */
  readonly segment?: CallSegment | undefined;
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
