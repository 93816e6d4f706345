// What every process of this proof does the same: a run makes one call a step, each counted by the ledger, until the ledger says that
// it is enough.
import {
  defineTool,
  type ModelAdapter,
  type ModelCompleteInput,
  openInstallation,
  type RunsOptions,
} from "@spfunctions/kernel";

export const accountId = "prover";
/** The same for every process: what one has kept the others must be able to prove. */
export const installation = openInstallation(new Uint8Array(32).fill(13));
/** How long a call takes. */
const callMs = 500;

export type Times = { readonly leaseMs: number; readonly renewMs: number; readonly sweepMs: number };

const starter = { accountId, keyId: "starter", scopes: ["read", "write"], kind: "key" } as const;

/** Tells the ledger first, so that what has begun is known there, and then takes its time. */
function countAt(ledger: string, name: string) {
  return defineTool({
    name: "ledger.count",
    description: "Counts one operation at the ledger.",
    input: {
      type: "object",
      properties: { operation: { type: "string" } },
      required: ["operation"],
      additionalProperties: false,
    },
    output: { type: "object", properties: { operation: { type: "string" } } },
    permissions: ["ledger:write"],
    sideEffect: "user_write",
    costEffect: "none",
    idempotency: { type: "key", keyRetentionMs: 86_400_000 },
    async run(input, { idempotencyKey }) {
      const { operation } = input as { operation: string };
      const begunAt = Date.now();
      const response = await fetch(`${ledger}/count`, {
        method: "POST",
        body: JSON.stringify({ operation, key: idempotencyKey, process: name, begunAt }),
      });
      await response.arrayBuffer();
      await new Promise((resolve) => {
        setTimeout(resolve, callMs);
      });
      return { operation };
    },
  });
}

/** Its objective is the run's name. */
function modelAt(ledger: string): ModelAdapter {
  return {
    name: "scripted",
    offline: true,
    async complete({ messages }: ModelCompleteInput) {
      const [first] = messages;
      const job = first?.role === "user" ? first.text : "";
      const step = messages.filter(({ role }) => role === "assistant").length + 1;
      const usage = { inputTokens: 1, outputTokens: 1 };
      const over = await fetch(`${ledger}/over`);
      if ((await over.text()) === "yes")
        return { text: `${job} done`, toolCalls: [], finish: "stop", usage } as const;
      const call = { id: `t${step}`, name: "ledger.count", args: { operation: `${job}/${step}` } };
      return { text: "", toolCalls: [call], finish: "tool_calls", usage } as const;
    },
  };
}

/** For the process of this name. */
export function runsOptions(ledger: string, name: string, sweepMs: number): Omit<RunsOptions, "store"> {
  const budget = { maxSteps: 5000, maxToolCalls: 5000 };
  return {
    packs: [countAt(ledger, name)],
    levels: [{ level: "agent", policy: { maxSideEffect: "user_write", budget } }],
    principal: starter,
    agentId: "prover",
    model: { adapter: modelAt(ledger) },
    installation,
    runLimits: { sweepMs },
  };
}
