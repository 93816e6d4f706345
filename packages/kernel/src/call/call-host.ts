import type {
  KeyedHash,
  Origin,
  Principal,
  Receipt,
  SimpleFunctionsError,
  ToolCallResult,
} from "@spfunctions/contracts";
import type { Signer } from "../installation/installation.ts";
import type { AccountJournal } from "../journal/account-journal.ts";
import type { Judge } from "../judge/judge.ts";
import type { Replay } from "../replay/replay.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";
import type { Ids } from "../time/ids.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { EvaluatePostTool, EvaluatePreTool } from "./ask-policy.ts";

/** How long things may take and are kept, in milliseconds, and how long a journal's segment gets. */
export type CallLimits = {
  /** A call whose tool and caller say nothing. */
  readonly callMs: number;
  /** A host's own policy. */
  readonly policyMs: number;
  /** An idempotency key. */
  readonly claimMs: number;
  /** Records of a segment, before the next one begins. */
  readonly segmentRecords: number;
};

export const defaultCallLimits: CallLimits = {
  callMs: 60_000,
  policyMs: 30_000,
  claimMs: 7 * 24 * 3_600_000,
  segmentRecords: 20_000,
};

/** What one seat's calls are made with: whose they are, by which law, into which journal. */
export type CallHost = {
  readonly registry: ToolRegistry;
  readonly judge: Judge;
  readonly journal: AccountJournal;
  readonly store: Store;
  readonly principal: Principal;
  readonly origin: Origin;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly keyedHash: KeyedHash;
  readonly limits: CallLimits;
  /** Only where receipts can be signed. */
  readonly signer?: Signer | undefined;
  /** Answers come from here, and nothing runs. */
  readonly replay?: Replay | undefined;
  /** Which tools there are, the traces that are replayed do not say: one that they do not know was not recorded. */
  readonly knowsRecordedOnly?: boolean | undefined;
  readonly evaluatePreTool?: EvaluatePreTool | undefined;
  readonly evaluatePostTool?: EvaluatePostTool | undefined;
};

export type CallRequest = {
  readonly tool: string;
  /** An empty object where none is given. */
  readonly input?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** The same key with the same input is answered once; see `replayed` in the result. */
  readonly idempotencyKey?: string | undefined;
  readonly signReceipt?: boolean | undefined;
  /** The trace it is part of, where its caller has one; its own otherwise. */
  readonly traceId?: string | undefined;
};

/** A refusal is a value. `receipt` is there from the first record on. */
export type CallOutcome =
  | { readonly type: "completed"; readonly result: ToolCallResult }
  | {
      readonly type: "refused" | "failed";
      readonly error: SimpleFunctionsError;
      readonly receipt?: Receipt;
      /** How an earlier call with the same idempotency key had failed; nothing ran. */
      readonly replayed?: true;
    };
