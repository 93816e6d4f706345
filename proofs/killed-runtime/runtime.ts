// The runtime of every life of the program that is killed: the same tools, policies, hooks and model each time.
import { SimpleFunctionsRuntime } from "@spfunctions/agent/v1";
import type { JsonValue } from "@spfunctions/contracts";
import { defineTool, openInstallation, type PolicyView, type Store, type Tool } from "@spfunctions/kernel";
import { accountId, isAskedAbout } from "./plan.ts";
import { model } from "./scripted-model.ts";

/** The same for every process: what one has kept the others must be able to prove. */
export const installation = openInstallation(new Uint8Array(32).fill(13));
export const boss = { accountId, keyId: "boss", scopes: ["admin"], kind: "operator" } as const;
export const starter = { accountId, keyId: "starter", scopes: ["read", "write"], kind: "key" } as const;

type Spec = Parameters<typeof defineTool>[0];
type Given = Pick<Spec, "name" | "sideEffect"> & Partial<Spec>;

export const day = 86_400_000;

export function tool(
  given: Given,
  act: (operation: string, key: string, signal: AbortSignal, runId: string) => Promise<unknown>,
): Tool {
  return defineTool({
    description: "Does an operation of a job.",
    costEffect: "none",
    permissions: ["job:do"],
    input: {
      type: "object",
      properties: { operation: { type: "string" }, stamp: { type: "string" } },
      required: ["operation"],
      additionalProperties: false,
    },
    output: {},
    ...given,
    run: async (input, { idempotencyKey, signal, runId }) => {
      const { operation, stamp = "" } = input as { operation: string; stamp?: string };
      const more = await act(operation, idempotencyKey, signal, runId);
      return { did: `did ${operation}${stamp}`, ...(more === undefined ? {} : { more: more as JsonValue }) };
    },
  });
}

/** Long enough that not everything fits into what the model may be shown. */
const page = async (operation: string) => `${operation} `.repeat(40);

export function toolsOf(server: string): Tool[] {
  const count = async (operation: string, key: string, signal: AbortSignal) => {
    const response = await fetch(`${server}/${encodeURIComponent(operation)}`, {
      method: "POST",
      headers: { "idempotency-key": key },
      signal,
    });
    await response.arrayBuffer();
  };
  return [
    tool({ name: "shelf.read", sideEffect: "none" }, page),
    tool(
      {
        name: "archive.find",
        sideEffect: "none",
        costEffect: "search_cost",
        description: "Finds something in the archive.",
      },
      page,
    ),
    tool(
      { name: "ledger.keyed", sideEffect: "user_write", idempotency: { type: "key", keyRetentionMs: day } },
      count,
    ),
    tool({ name: "ledger.natural", sideEffect: "user_write", idempotency: { type: "natural" } }, count),
    tool({ name: "ledger.plain", sideEffect: "user_write", idempotency: { type: "none" } }, count),
    tool(
      { name: "desk.order", sideEffect: "paper_trade", idempotency: { type: "key", keyRetentionMs: day } },
      count,
    ),
  ];
}

export const operationIn = ({ input }: Pick<PolicyView, "input">) =>
  (input as { operation?: string }).operation ?? "";

export function openRuntime(store: Store, server: string): SimpleFunctionsRuntime {
  return new SimpleFunctionsRuntime({
    packs: [toolsOf(server)],
    model,
    store,
    installation,
    principal: starter,
    agentId: "prover",
    policy: {
      maxSideEffect: "paper_trade",
      maxCostEffect: "search_cost",
      // What changes something is done at once, a trade on paper is asked about in any case.
      approvals: { requireForSideEffectAtOrAbove: "secret" },
      budget: { maxSteps: 60, maxToolCalls: 80 },
      session: { persist: true, ttlMs: day, maxHistoryTokens: 2400 },
    },
    tools: {
      mode: "manifest-search",
      preload: ["shelf.read", "ledger.keyed", "ledger.natural", "ledger.plain", "desk.order"],
      maxCandidateTools: 0,
    },
    strategy: { type: "bounded_concurrent", maxInFlight: 4 },
    rules: [
      {
        id: "asked-about",
        version: "1",
        evaluatePreTool: (view) =>
          isAskedAbout(operationIn(view))
            ? { outcome: "ask", reason: "a person looks at these" }
            : { outcome: "allow" },
      },
    ],
    canUseTool: ({ tool: name }) =>
      name === "shelf.read"
        ? { outcome: "allow", patch: [{ op: "add", path: "/stamp", value: ", stamped" }] }
        : true,
    hooks: {
      beforeModel: () => ({ outcome: "allow" }),
      afterModel: () => ({ outcome: "allow" }),
      afterToolCall: () => ({ outcome: "allow" }),
      onApproval: () => ({ outcome: "allow" }),
      onStop: { phase: "observe", run: () => undefined },
    },
  });
}
