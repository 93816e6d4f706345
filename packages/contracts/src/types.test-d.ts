// What must not compile, and what must: read by `tsc` with the rest of the sources, never run.
import {
  type AgentPolicy,
  type ApprovalRequiredError,
  type Approval,
  type CallId,
  type Checkpoint,
  type CostEffect,
  costEffectRank,
  defaultIdempotency,
  type Digest,
  type ErrorCode,
  errorFor,
  type Gate,
  type Idempotency,
  type KeyId,
  parsePolicy,
  permitsSideEffect,
  type PolicyLevel,
  type Receipt,
  type RunId,
  runIdSchema,
  type RuntimeEvent,
  type SideEffect,
  sideEffectRank,
  SimpleFunctionsError,
  type StandingGrant,
  type ToolDefinition,
  toolDigest,
  type TraceEntry,
  type Verdict,
} from "./index.ts";

declare const definition: ToolDefinition;
declare const receipt: Receipt;
declare const approval: Approval;
declare const runId: RunId;
declare const event: RuntimeEvent;
declare const checkpoint: Checkpoint;
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type that is wanted
declare function takes<Type>(value: Type): void;

// Effects are closed words, and a cost is no side effect.
takes<SideEffect>("user_write");
// @ts-expect-error an unknown side effect
takes<SideEffect>("userWrite");
// @ts-expect-error a cost is no side effect
takes<SideEffect>("llm_cost");
// @ts-expect-error a side effect is no cost
takes<CostEffect>("live_trade");
// @ts-expect-error an unknown class on a tool
permitsSideEffect({ maxSideEffect: "none" }, { name: "world.read", sideEffect: "anything" });
// @ts-expect-error an unknown class has no rank
sideEffectRank("userWrite");
// @ts-expect-error a side effect has no rank among costs
costEffectRank("live_trade");
takes<Idempotency>(defaultIdempotency("user_write"));
// @ts-expect-error an unknown class has no default
defaultIdempotency("userWrite");

// Error codes are closed words.
takes<ErrorCode>("not_found");
// @ts-expect-error an unknown error code
takes<ErrorCode>("notFound");
// @ts-expect-error an unknown error code
errorFor("nope", "it happened");
// @ts-expect-error an unknown error code
takes(new SimpleFunctionsError("nope", "it happened"));
// @ts-expect-error an unknown retry
errorFor("internal", "it happened", { retry: "maybe" });
// @ts-expect-error an unknown outcome
takes<Verdict["outcome"]>("permit");
// @ts-expect-error an unknown gate
takes<Gate>("max.sideeffect");

// Nothing required may be left out.
takes<ToolDefinition>(definition);
declare const withoutSideEffect: Omit<ToolDefinition, "sideEffect">;
// @ts-expect-error a tool without its side effect
takes<ToolDefinition>(withoutSideEffect);
declare const withoutAccess: Omit<ToolDefinition, "access">;
// @ts-expect-error a tool that does not say whether anybody may call it
toolDigest(withoutAccess);
declare const withoutPrincipal: Omit<Receipt, "principal">;
// @ts-expect-error a receipt of nobody
takes<Receipt>(withoutPrincipal);
declare const withoutVerdict: Omit<Receipt, "verdict">;
// @ts-expect-error a receipt without its decision
takes<Receipt>(withoutVerdict);
declare const withoutInputHash: Omit<Approval, "inputHash">;
// @ts-expect-error an approval of any input
takes<Approval>(withoutInputHash);
declare const withoutExpiry: Omit<Approval, "expiresAt">;
// @ts-expect-error an approval for ever
takes<Approval>(withoutExpiry);
declare const withoutInput: Omit<Approval, "input">;
// @ts-expect-error an approval that does not show its input
takes<Approval>(withoutInput);
declare const refused: Omit<TraceEntry, "toolDigest" | "inputHash" | "sideEffect" | "costEffect">;
takes<TraceEntry>(refused);
declare const withoutCaller: Omit<TraceEntry, "principal">;
// @ts-expect-error an entry of nobody
takes<TraceEntry>(withoutCaller);
takes<StandingGrant["fixedInput"]>({ "/venue": "kalshi", "/legs": [null] });
// @ts-expect-error a grant for what JSON cannot say
takes<StandingGrant["fixedInput"]>({ "/venue": () => "kalshi" });

// Ids are what they are ids of.
takes<RunId>(runIdSchema.parse("run_00000000"));
takes<RunId>(receipt.runId);
takes<CallId>(approval.callId);
takes<string>(runId);
// @ts-expect-error a run's id where a call's is wanted
takes<CallId>(runId);
// @ts-expect-error a plain text where an id is wanted
takes<RunId>("run_00000000");
// @ts-expect-error a plain text where a key's id is wanted
takes<KeyId>("key_1");
// @ts-expect-error a plain text where a digest is wanted
takes<Digest>(`sha256:${"a".repeat(64)}`);

// A policy has no other keys, and a level holds one that was parsed.
takes<AgentPolicy>({ maxSideEffect: "user_write", budget: { maxSteps: 3 } });
takes<PolicyLevel>({ level: "run", policy: parsePolicy({}) });
// @ts-expect-error a mistyped key
takes<AgentPolicy>({ maxSideEffects: "user_write" });
// @ts-expect-error a mistyped key, one level down
takes<AgentPolicy>({ budget: { maxStep: 3 } });
// @ts-expect-error guardrails without a venue
takes<AgentPolicy>({ trade: { maxOrderCostCents: 1, maxQuantity: 1 } });
// @ts-expect-error an unparsed policy has no defaults
takes<PolicyLevel>({ level: "run", policy: {} });
// @ts-expect-error an unknown level
takes<PolicyLevel>({ level: "user", policy: parsePolicy({}) });

// Events are told apart by type.
if (event.type === "model.delta") takes<true>(event.live);
if (event.type === "tool.completed") takes<number>(event.seq);
if (event.type === "subagent.handoff") takes<RunId>(event.childRunId);
if (event.type === "subagent.cancelled") takes<RunId>(event.childRunId);
if (event.type === "subagent.detached") takes<RunId>(event.childRunId);
// @ts-expect-error an unknown event of a child
takes<RuntimeEvent["type"]>("subagent.paused");
// @ts-expect-error a live event has no place in a journal
if (event.type === "model.delta") takes<number>(event.seq);

// Inside there is no snake_case.
takes<readonly string[]>(checkpoint.state.openLoops);
// @ts-expect-error the wire's name
takes<readonly string[]>(checkpoint.state.open_loops);

// The id of the question is a text where there is one: nobody has to look what it is.
declare const asked: ApprovalRequiredError;
const approvalId: string | undefined = asked.details?.approvalId;
void approvalId;
