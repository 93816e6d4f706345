// What every life of the program that is killed does the same: its tools, its policies, and what its model says.
import {
  defineTool,
  type ModelAdapter,
  type ModelCompleteInput,
  openInstallation,
  type PolicyView,
  type RunsOptions,
  type Tool,
} from "@spfunctions/kernel";

export const accountId = "prover";
/** The same for every process: what one has kept the others must be able to prove. */
export const installation = openInstallation(new Uint8Array(32).fill(11));

const starter = { accountId, keyId: "starter", scopes: ["read", "write"], kind: "key" } as const;
export const boss = { accountId, keyId: "boss", scopes: ["admin"], kind: "operator" } as const;

/** The operations of a job's steps, by the kind of tool; what is asked about waits for a person. */
export function operationsOf(job: number): readonly (readonly string[])[] {
  return [
    [
      `keyed-${job}-a`,
      `natural-${job}-b`,
      `keyed-asked-${job}-c`,
      ...(job % 4 === 0 ? [`plain-${job}-d`] : []),
    ],
    [`keyed-${job}-e`, `keyed-asked-${job}-f`],
  ];
}

function counter(
  server: string,
  kind: "keyed" | "natural" | "plain",
  idempotency: Tool["contract"]["idempotency"],
) {
  return defineTool({
    name: `counter.${kind}`,
    description: "Counts one operation at the counting server.",
    input: {
      type: "object",
      properties: { operation: { type: "string" } },
      required: ["operation"],
      additionalProperties: false,
    },
    output: { type: "object", properties: { operation: { type: "string" } } },
    permissions: ["counter:write"],
    sideEffect: "user_write",
    costEffect: "none",
    idempotency,
    async run(input, { idempotencyKey, signal }) {
      const { operation } = input as { operation: string };
      const response = await fetch(`${server}/${encodeURIComponent(operation)}`, {
        method: "POST",
        headers: { "idempotency-key": idempotencyKey },
        signal,
      });
      await response.arrayBuffer();
      return { operation };
    },
  });
}

/** Says by what it sees alone: the same in whichever process it is asked. */
const model: ModelAdapter = {
  name: "scripted",
  offline: true,
  async complete({ messages }: ModelCompleteInput) {
    const [first] = messages;
    const job = Number(first?.role === "user" ? first.text : Number.NaN);
    const step = messages.filter(({ role }) => role === "assistant").length;
    const operations = operationsOf(job)[step];
    const usage = { inputTokens: 1, outputTokens: 1 };
    if (operations === undefined) return { text: `job ${job} done`, toolCalls: [], finish: "stop", usage };
    const toolCalls = operations.map((operation) => ({
      id: operation,
      name: `counter.${operation.split("-")[0]}`,
      args: { operation },
    }));
    return { text: "", toolCalls, finish: "tool_calls", usage };
  },
};

function asks({ input }: PolicyView) {
  const { operation } = input as { operation: string };
  return operation.includes("asked")
    ? ({ outcome: "ask", reason: "a person looks at these" } as const)
    : ({ outcome: "allow" } as const);
}

export function runsOptions(server: string): Omit<RunsOptions, "store"> {
  return {
    packs: [
      counter(server, "keyed", { type: "key", keyRetentionMs: 86_400_000 }),
      counter(server, "natural", { type: "natural" }),
      counter(server, "plain", { type: "none" }),
    ],
    levels: [
      { level: "agent", policy: { maxSideEffect: "user_write", budget: { maxSteps: 5, maxToolCalls: 10 } } },
    ],
    principal: starter,
    agentId: "prover",
    model: { adapter: model },
    strategy: { type: "bounded_concurrent", maxInFlight: 4 },
    rules: [{ id: "asked-about", version: "1", evaluatePreTool: asks }],
    installation,
    runLimits: { sweepMs: 300 },
  };
}
