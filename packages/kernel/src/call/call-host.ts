import type {
  KeyedHash,
  Origin,
  Principal,
  Receipt,
  RunId,
  SessionId,
  SimpleFunctionsError,
  Spent,
  ToolCallResult,
} from "@spfunctions/contracts";
import type { Approvals } from "../approval/approvals.ts";
import type { Capabilities } from "../capability/capabilities.ts";
import type { Signer } from "../installation/installation.ts";
import type { CallJournal } from "../journal/account-journal.ts";
import type { Judge, Judgement } from "../judge/judge.ts";
import type { RouteOf } from "../package/tool-router.ts";
import type { Replay } from "../replay/replay.ts";
import type { Store } from "../store/store.ts";
import type { Waits } from "../store/waits.ts";
import type { Clock } from "../time/clock.ts";
import type { Ids } from "../time/ids.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { Proposed, Revision } from "../hook/revise-input.ts";
import type { HookViews } from "../hook/run-hook.ts";
import type { PolicyAnswer } from "../judge/input-gates.ts";
import type { EvaluatePostTool, EvaluatePreTool, PolicyView } from "./ask-policy.ts";
import type { PreparedInput } from "./prepare-input.ts";

/** How long things may take and are kept, in milliseconds; how long a journal's segment gets, and how much is asked at once. */
export type CallLimits = {
  /** A call whose tool and caller say nothing. */
  readonly callMs: number;
  /** A host's own policy, until it answers. */
  readonly policyMs: number;
  /** How long an idempotency key is remembered, by the host's clock. */
  readonly claimMs: number;
  /** Records of a segment, before the next one begins. */
  readonly segmentRecords: number;
  /** How long a person has to approve a call whose policy does not say. */
  readonly approvalMs: number;
  /** Questions for capabilities that a run, or a session, has open. */
  readonly pendingCapabilities: number;
};

/**
 * @limits call | `limits: { … }` of `govern`, of a runtime and of a seat; `limits.calls` of a platform
 */
export const defaultCallLimits: CallLimits = {
  /** @at `timeout`; a tool's own `timeoutMs`, that of a call and `--timeout` come before it */
  callMs: 60_000,
  /** @at it has denied: `policy_denied` */
  policyMs: 30_000,
  /** @at the key is free: the same call with it runs again */
  claimMs: 7 * 24 * 3_600_000,
  /** @at the next segment begins */
  segmentRecords: 20_000,
  /** @at `approval_expired`; `approvals.ttlMs` of a policy comes before it */
  approvalMs: 3_600_000,
  /** @at nothing more is asked; the call is refused all the same */
  pendingCapabilities: 16,
};

/** What becomes of a call that a person must approve: it waits for them, or its caller is told and comes again. */
export type Asking = "wait" | "return";

/** What one seat's calls are made with: whose they are, by which law, into which journal. */
export type CallHost = {
  readonly registry: ToolRegistry;
  /** Which route a call of a tool takes, for those who have a say about it. */
  readonly routeOf: RouteOf;
  readonly judge: Judge;
  readonly journal: CallJournal;
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
  readonly approvals: Approvals;
  readonly asking: Asking;
  readonly waits: Waits;
  /** Aborts when this seat closes: whoever waits for a person leaves the question where it is. */
  readonly closing: AbortSignal;
  /** What a yes can be for as a whole. */
  readonly sessionId?: SessionId | undefined;
  /** What calls reach beside what their policies say. */
  readonly capabilities: Capabilities;
  /** In a run. */
  readonly tree?: RunTree | undefined;
  /** In a run. */
  readonly budget?: CallBudget | undefined;
  /** Where the package of a run has hooks about its calls. */
  readonly hooks?: CallHooks | undefined;
};

/** The run at the top of a tree. S2: what is granted is granted to that one, and so to no child more. */
export type RunTree = { readonly runId: RunId; readonly sessionId?: SessionId | undefined };

/** Hooks can object, and change an input before it is judged; they allow nothing that the judge refuses. */
export type CallHooks = {
  readonly revise: (proposed: Proposed, view: (input: PreparedInput) => PolicyView) => Promise<Revision>;
  /** Before a person is asked about a call. */
  readonly objectionToAsking: (
    view: HookViews["on_approval"],
    signal: AbortSignal | undefined,
  ) => Promise<PolicyAnswer | undefined>;
  /** About an output, which nobody gets before; only where there are such hooks. */
  readonly objectionToOutput?: (
    view: HookViews["after_tool_call"],
    signal: AbortSignal | undefined,
  ) => Promise<PolicyAnswer | undefined>;
};

/** What one call of a run has to fit in beside the others. */
export type CallBudget = {
  /** What the others have used up, or set aside. */
  readonly used: () => Spent;
  /** Decides by that, and sets this call aside where it may run: in one step, so that nothing comes between. */
  readonly decide: (judge: (used: Spent) => Judgement) => Judgement;
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
  /** What is done where a person must approve it; as the seat says unless given. */
  readonly asking?: Asking | undefined;
  /** The approval that it is to be made with, where its caller knows; found by what it is for otherwise. */
  readonly approvalId?: string | undefined;
};

/** A call that a key has ordered earlier, for whoever makes it when its time has come. */
export type OrderedCall = Required<Pick<CallRequest, "tool" | "input" | "idempotencyKey">> & {
  readonly accountId: string;
  /** Who ordered it, and when, in milliseconds since 1970. */
  readonly keyId: string;
  readonly orderedAt: number;
  readonly idempotencyKey: string;
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
