// One valid sample of everything that crosses a wire, whole: every optional field is there.
import { createHash } from "node:crypto";
import type { ContractManifest, Digest, ErrorCode, ToolDefinition } from "../src/index.ts";
import { type Gate, gates } from "../src/verdict/verdict.ts";

export const digestOf = (hexDigit: string): Digest => `sha256:${hexDigit.repeat(64)}` as Digest;

/** A free public read: the one kind of tool that needs nobody's name. */
export function toolDefinition(changes: Partial<ToolDefinition> = {}): ToolDefinition {
  const name = changes.name ?? "world.read";
  return {
    name,
    compatName: name.replaceAll(".", "_"),
    title: "Read the world",
    description: "The state of the world as the markets see it.",
    status: "implemented",
    stability: "stable",
    authRequired: false,
    access: { anonymousAllowed: true },
    permissions: ["world:read"],
    sideEffect: "none",
    costEffect: "none",
    risk: [],
    idempotency: { type: "natural" },
    input: { type: "object", additionalProperties: false },
    output: { type: "object" },
    agent: { callable: true, defaultEnabled: true, name },
    traceEvents: ["tool.completed"],
    replay: { replayable: true, match: "tool+inputHash" },
    ...changes,
  };
}

/** A tool that needs a key and does nothing else that a promise could forbid. */
export function keyedDefinition(changes: Partial<ToolDefinition> = {}): ToolDefinition {
  const name = changes.name ?? "orders.place";
  return toolDefinition({
    name,
    authRequired: true,
    access: { anonymousAllowed: false },
    agent: { callable: true, defaultEnabled: false, name },
    ...changes,
  });
}

/** Every optional part of a definition, filled in. */
export const fullDefinition = keyedDefinition({
  name: "orders.place",
  permissions: ["orders:write", "user_data"],
  sideEffect: "live_trade",
  costEffect: "venue_request_cost",
  risk: ["user_data", "venue", "live_trade"],
  idempotency: { type: "key", keyRetentionMs: 86_400_000 },
  capability: { kind: "net", url: "/venueUrl" },
  trade: {
    venue: "/venue",
    side: "/side",
    quantity: "/quantity",
    limitPriceCents: "/limitPriceCents",
    dryRun: "/dryRun",
    autoExecute: "/autoExecute",
    startsRuntime: "/startsRuntime",
    jurisdiction: "/jurisdiction",
    confirm: "/confirm",
  },
  http: { method: "POST", path: "/api/orders/{orderId}" },
  sdk: { package: "@spfunctions/sdk", method: "orders.place" },
});

/** A digest made without any of our code: sorted keys, `JSON.stringify`, `node:crypto`. */
export function plainDigest(value: unknown): Digest {
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
  return `sha256:${createHash("sha256").update(text).digest("hex")}` as Digest;
}

/** A manifest whose digests are right whatever it says: what only the promises can refuse. */
export function manifestSaying(
  definitions: readonly object[],
  mode: ContractManifest["mode"] = "review",
): { schemaVersion: string; mode: string; digest: string; tools: Record<string, unknown>[] } {
  const schemaVersion = "0.3.0-draft";
  const tools = definitions.map((definition) => ({ ...definition, digest: plainDigest(definition) }));
  const identities = tools.map((tool) => ({ name: (tool as { name?: unknown }).name, digest: tool.digest }));
  return { schemaVersion, mode, digest: plainDigest({ schemaVersion, mode, tools: identities }), tools };
}

const runId = "run_0190aaaa";
const callId = "call_0190aaaa";
const stepId = "step_0190aaaa";
const approvalId = "appr_0190aaaa";
const traceId = "0123456789abcdef0123456789abcdef";
const tool = "orders.place";
const toolDigest = digestOf("a");
const inputHash = digestOf("b");
const outputHash = digestOf("c");
const policyDigest = digestOf("d");
const hash = digestOf("e");
const packageFingerprint = `sha256:runtime-package-canonical-v1:${"f".repeat(64)}`;
const startedAt = "2026-01-02T03:04:05.678Z";
const endedAt = "2026-01-02T04:04:05.678Z";
const failure = { code: "upstream_error", message: "the venue answered 503" };

export const principal = {
  accountId: "acct_1",
  keyId: "key_1",
  scopes: ["read", "write"],
  kind: "run",
  runId,
};

/** Somebody who calls for themselves. */
export const keyHolder = { ...principal, kind: "key" };

const operator = { accountId: "acct_1", keyId: "key_2", scopes: ["admin"], kind: "operator" };

/** What the gates say of a call that one of them stops, or none: it is asked no further. */
export function gateReports(stoppedAt?: Gate): { gate: Gate; result: string; detail?: string }[] {
  const last = stoppedAt === undefined ? gates.length : gates.indexOf(stoppedAt);
  return gates.map((gate, index) => {
    if (index === last) return { gate, result: "stopped", detail: "level agent" };
    return { gate, result: index < last ? "passed" : "not_checked" };
  });
}

/** A coherent decision to stop a call at a gate. */
export function verdictStoppedAt(gate: Gate, code: ErrorCode, outcome: "deny" | "ask" = "deny") {
  return {
    outcome,
    gate,
    code,
    reason: "live_trade is above user_write",
    remedy: "raise maxSideEffect to live_trade",
    gates: gateReports(gate),
    policyDigest,
    toolDigest,
  };
}

export const verdict = verdictStoppedAt("max.sideEffect", "policy_denied");

export const allowingVerdict = {
  outcome: "allow",
  code: "allowed",
  reason: "every gate passed",
  gates: gateReports(),
  policyDigest,
  toolDigest,
};

export const spent = {
  steps: 1,
  toolCalls: 2,
  inputTokens: 300,
  outputTokens: 40,
  wallMs: 12.5,
  usd: 0.01,
  children: 1,
};

export const signature = { keyId: "seat_1", sig: "c2lnbmF0dXJl" };

export const receipt = {
  v: 1,
  runId,
  callId,
  principal,
  origin: "direct",
  tool,
  toolDigest,
  inputHash,
  outputHash,
  verdict,
  policyDigest,
  approvalId,
  sideEffect: "live_trade",
  costEffect: "venue_request_cost",
  spent,
  traceId,
  seq: 3,
  hash,
  signature,
};

export const approval = {
  approvalId,
  runId,
  callId,
  asker: principal,
  tool,
  toolDigest,
  sideEffect: "user_write",
  costEffect: "none",
  inputHash,
  policyDigest,
  sessionId: "session-1",
  input: { venue: "kalshi", quantity: 3, note: null },
  reason: "user_write asks a person",
  gate: "pre_tool",
  readBefore: ["http.get call_0190aaab"],
  approvers: ["key_2"],
  status: "used",
  createdAt: startedAt,
  expiresAt: endedAt,
  decidedBy: operator,
  decidedAt: endedAt,
  note: "this once",
  grantId: "grant_0190aaaa",
  usedBy: callId,
  erased: true,
};

/** What a call's records say of it. */
export const approvalOfCall = {
  approvalId,
  status: "used",
  expiresAt: endedAt,
  decidedBy: operator,
  grantId: "grant_0190aaaa",
  elsewhere: { times: 1, sentBy: approvalId },
};

export const standingGrant = {
  grantId: "grant_0190aaaa",
  principal,
  tool,
  toolDigest,
  policyDigest,
  sessionId: "session-1",
  fixedInput: { "/venue": "kalshi" },
  maxUses: 5,
  uses: 0,
  expiresAt: endedAt,
  grantedBy: operator,
  revokedBy: operator,
};

export const effectIntent = {
  effectId: "eff_0190aaaa",
  runId,
  callId,
  tool,
  toolDigest,
  inputHash,
  sideEffect: "live_trade",
  costEffect: "venue_request_cost",
  idempotency: { type: "key", keyRetentionMs: 1000 },
  idempotencyKey: "eff_0190aaaa",
  policyDigest,
  packageFingerprint,
  approvalId,
  contentRefs: ["content_0190aaaa"],
  redactedSummary: "3 contracts at kalshi",
  intendedAt: startedAt,
};

export const toolExecutionOutput = {
  terminalStatus: "unknown",
  contentRefs: ["content_0190aaaa"],
  redactedSummary: "no answer",
  externalOperationId: "order-77",
  reconciliationRef: "orders/77",
  errorRef: "upstream_error",
};

export const effectResult = { effectId: "eff_0190aaaa", ...toolExecutionOutput };

export const toolCallResult = {
  tool,
  runId,
  callId,
  output: { filled: 3 },
  redacted: ["/account/token"],
  durationMs: 12.5,
  receipt,
  replayed: true,
  matchedBy: "redacted",
  recordedToolDigest: toolDigest,
};

export const traceHeader = {
  v: 1,
  redactionVersion: 1,
  tools: manifestSaying([fullDefinition]).tools,
  manifestDigest: digestOf("1"),
};

export const contentRow = { ref: "content_0190aaaa", salt: "c2FsdA", text: '{"filled":3}' };
export const erasedContentRow = { ref: "content_0190aaaa", erased: true };

export const traceLine = { record: '{"seq":1}', content: [contentRow, erasedContentRow] };

export const seal = { count: 2, head: hash, headerDigest: digestOf("2"), signature };

export const traceEntry = {
  v: 1,
  traceId,
  runId,
  callId,
  type: "tool",
  tool,
  toolDigest,
  inputHash,
  input: { venue: "kalshi" },
  status: "failed",
  output: null,
  outputSummary: "",
  error: failure,
  sideEffect: "live_trade",
  costEffect: "venue_request_cost",
  principal,
  approvalId: "appr_00000001-0000-4000-8000-000000000001",
  policyDigest,
  packageFingerprint,
  startedAt,
  durationMs: 12.5,
  seq: 3,
  hash,
  erased: ["output"],
};

export const runtimeSession = {
  sessionId: "session-1",
  createdAt: startedAt,
  updatedAt: endedAt,
  objective: "watch the world",
  policySummary: { maxSideEffect: "none" },
};

export const runtimeStep = {
  stepId,
  runId,
  type: "tool",
  status: "completed",
  tool,
  traceId,
  startedAt,
  completedAt: endedAt,
  code: "policy_denied",
  reason: "its side effect is user_write, and the agent's policy allows none",
};

export const capabilityGrant = {
  grantId: "cap_1d9b1c36-6a0e-4c5d-9a57-0b8f3ce1a2d4",
  capability: "net:example.com",
  holder: { accountId: "acct_1", keyId: "key_1", sessionId: "session-1", runId },
  status: "granted",
  scope: "until",
  asker: principal,
  reason: "to look it up",
  readBefore: ["http.get https://example.com/"],
  createdAt: startedAt,
  expiresAt: endedAt,
  decidedBy: principal,
  decidedAt: startedAt,
  note: "for today",
};

export const childOfRun = {
  runId: "run_0190bbbb",
  subagent: "subagent.reader",
  status: "completed",
  depth: 1,
  spent,
};

export const runtimeRunResult = {
  runId,
  sessionId: "session-1",
  status: "completed",
  output: "done",
  steps: [runtimeStep],
  usage: spent,
  error: { code: "timeout", message: "too late" },
  approvals: [{ approvalId, status: "pending", expiresAt: endedAt }],
  unknownEffects: ["eff_0190aaaa"],
  children: [childOfRun],
};

const meta = { requestId: "req-1", receipt };
export const okEnvelope = { ok: true, data: { filled: 3 }, meta };
export const errorEnvelope = {
  ok: false,
  error: { code: "upstream_error", status: 502, message: "the venue answered 503", details: { path: "" } },
  meta,
};

/** The keys exactly as the long-lived agent's own document writes them. */
export const checkpointWire = {
  session_id: "session-1",
  revision: 7,
  updated_ts: 1767323045.678,
  state: {
    goals: ["watch the world"],
    open_loops: ["who answers"],
    decisions: ["wait"],
    constraints: ["spend nothing"],
    episode_summary: "It was quiet.",
    memory_tags: ["fed"],
    memory_refs: ["mem_1"],
    capabilities_granted: ["net:huggingface.co"],
    capabilities_pending: ["net"],
  },
  recent_messages: [
    { role: "system", content: "Be brief." },
    { role: "tool", content: "{}" },
  ],
  trace_tail: ["trace-1.jsonl"],
};

const journaled = { runId, ts: startedAt, seq: 1, index: 0 };
const live = { runId, ts: startedAt, live: true };
const resolved = { callId, tool, stepId, toolDigest, sideEffect: "user_write", costEffect: "none" };
const child = { childRunId: "run_0190bbbb", subagent: "subagent.reader" };

export const handoffAudit = {
  variant: "summary_only",
  policyRef: { kind: "handoff", ref: "policy.handoff.subagent.reader" },
  refs: ["content_0190aaaa-summary"],
  messages: 1,
  bytes: 12,
};

export const agentEvents = {
  "run.started": { type: "run.started", ...journaled, traceId },
  "tool.resolved": { type: "tool.resolved", ...journaled, ...resolved },
  "policy.checked": { type: "policy.checked", ...journaled, ...resolved, verdict },
  "approval.required": {
    type: "approval.required",
    ...journaled,
    ...resolved,
    approvalId,
    reason: "user_write asks a person",
    expiresAt: endedAt,
  },
  "approval.resolved": {
    type: "approval.resolved",
    ...journaled,
    ...resolved,
    approvalId,
    status: "approved",
  },
  "tool.started": { type: "tool.started", ...journaled, ...resolved },
  "tool.progress": { type: "tool.progress", ...live, ...resolved, message: "half way" },
  "tool.completed": {
    type: "tool.completed",
    ...journaled,
    ...resolved,
    durationMs: 12.5,
    outputSummary: "3 filled",
  },
  "tool.failed": { type: "tool.failed", ...journaled, ...resolved, durationMs: 12.5, error: failure },
  "run.completed": { type: "run.completed", ...journaled },
  "run.failed": { type: "run.failed", ...journaled, error: failure },
};

export const runtimeEvents = {
  "runtime.started": { type: "runtime.started", ...journaled, sessionId: "session-1" },
  "model.started": { type: "model.started", ...journaled, stepId },
  "model.delta": { type: "model.delta", ...live, stepId, text: "The" },
  "model.attempt.discarded": {
    type: "model.attempt.discarded",
    ...journaled,
    stepId,
    attempt: 1,
    error: failure,
  },
  "model.completed": { type: "model.completed", ...journaled, stepId, usage: spent },
  "context.condensed": { type: "context.condensed", ...journaled, stepId },
  "subagent.started": { type: "subagent.started", ...journaled, ...child, mode: "wait", callId },
  "subagent.handoff": { type: "subagent.handoff", ...journaled, ...child, handoff: handoffAudit },
  "subagent.message": {
    type: "subagent.message",
    ...journaled,
    ...child,
    messageId: "msg_0190aaaa",
    direction: "to_parent",
    text: "which one?",
  },
  "subagent.progress": {
    type: "subagent.progress",
    ...live,
    ...child,
    kind: "tool.progress",
    cursor: "run_0190bbbb:3.0",
    tool,
    text: "half way",
  },
  "subagent.rested": {
    type: "subagent.rested",
    ...journaled,
    ...child,
    approvals: [approvalId],
    unknownEffects: ["eff_0190aaaa"],
  },
  "subagent.woken": { type: "subagent.woken", ...journaled, ...child },
  "subagent.cancelled": { type: "subagent.cancelled", ...journaled, ...child },
  "subagent.detached": { type: "subagent.detached", ...journaled, ...child },
  "subagent.reclaimed": { type: "subagent.reclaimed", ...journaled, ...child },
  "subagent.completed": { type: "subagent.completed", ...journaled, ...child, usage: spent },
  "subagent.failed": { type: "subagent.failed", ...journaled, ...child, error: failure },
  "runtime.completed": { type: "runtime.completed", ...journaled },
  "runtime.failed": { type: "runtime.failed", ...journaled, error: failure },
  "runtime.cancelled": { type: "runtime.cancelled", ...journaled },
};

export const outputFrames = {
  "session.init": { type: "session.init", v: 1, ts: startedAt },
  "tool.catalog.loaded": { type: "tool.catalog.loaded", manifestDigest: digestOf("1"), tools: 12 },
  "agent.final": { type: "agent.final", ok: false, output: null, error: failure },
  "trace.receipt": { type: "trace.receipt", receipt },
};
