// One whole sample of everything that a runtime package is made of: every optional field is there.
import { agentPolicySchema } from "../src/policy/agent-policy.ts";
import { digestOf, effectIntent, fullDefinition, plainDigest } from "./samples.ts";

export const packageFingerprint = `sha256:runtime-package-canonical-v1:${"f".repeat(64)}`;

const contract = { ...fullDefinition, digest: plainDigest(fullDefinition) };

export const activeCapability = {
  type: "active",
  capabilityId: "tool.orders.place",
  kind: "tool",
  contract,
};

export const reservedCapability = {
  type: "reserved",
  capabilityId: "tool.research.delegate",
  kind: "agent_as_tool",
  owner: "the research desk",
};

export const packageRoute = {
  capabilityId: "tool.orders.place",
  canonicalToolName: "orders.place",
  namespace: "orders",
  source: "pack:orders",
  destination: "platform",
  executorRef: `orders@${digestOf("a")}`,
  policyRefs: [digestOf("b"), digestOf("c")],
  sidecarRefs: ["venues/2026-01"],
  effectClass: "live_trade",
  riskClass: "live_trade",
  privacy: "private",
  retention: "durable",
};

export const packageHook = {
  id: "desk.limits",
  version: "3",
  point: "before_tool_call",
  phase: "guard",
  order: -1,
  timeoutMs: 500,
  sidecarRef: "venues/2026-01",
};

export const packageSidecar = {
  ref: "venues/2026-01",
  kind: "venue_list",
  digest: digestOf("d"),
  capabilityIds: ["tool.orders.place"],
};

export const providerRoute = { routeId: "anthropic", model: "model-1", maxOutputTokens: 4096 };

const keptPolicy = agentPolicySchema.parse({
  maxSideEffect: "live_trade",
  trade: {
    allowedVenues: ["kalshi"],
    maxOrderCostCents: 1000,
    maxQuantity: 10,
    confirmToken: `hmac-sha256:${"9".repeat(64)}`,
  },
});

export const runtimePackage = {
  v: 1,
  agentId: "agent_1",
  provider: providerRoute,
  capabilities: [activeCapability, reservedCapability],
  toolRoutes: [packageRoute],
  policies: [{ level: "agent", policy: keptPolicy }],
  hooks: [packageHook],
  sidecars: [packageSidecar],
  outputContract: { type: "object", properties: { answer: { type: "string" } } },
  strategy: { type: "ordered_batch", maxInFlight: 4 },
  fingerprint: packageFingerprint,
  volatile: { createdAt: "2026-01-02T03:04:05.678Z", labels: { ticket: "OPS-7" } },
};

export const packageDelta = {
  previousFingerprint: packageFingerprint,
  reason: "the research desk takes part from now on",
  createdAt: "2026-01-02T04:04:05.678Z",
  changes: [
    { type: "activate_capability", capabilityId: "tool.orders.place", contract },
    { type: "deactivate_capability", capabilityId: "tool.orders.place" },
    { type: "add_sidecar", sidecar: packageSidecar },
  ],
};

export const toolCallRequest = {
  callId: effectIntent.callId,
  canonicalToolName: "orders.place",
  origin: "model",
  requestedArgsRefs: ["content_0190aaaa"],
  redactedArgsSummary: "an order of three contracts",
  idempotencyKey: "order-7",
};

export const resolvedToolCall = { request: toolCallRequest, route: packageRoute };

export const toolExecutionRequest = {
  resolvedCall: resolvedToolCall,
  effectIntent,
  strategy: { type: "sequential" },
};

export const toolRegistrySnapshot = { packageFingerprint, routes: [packageRoute] };
