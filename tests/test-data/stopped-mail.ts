// What a process that is stopped and its successor both do: they send letters, and write down which of them has sent what.
import { appendFileSync } from "node:fs";
import { defineTool } from "@spfunctions/agent";
import { type ModelAdapter, openInstallation, type RunsOptions } from "@spfunctions/kernel";

export const installation = openInstallation(new Uint8Array(32).fill(117));
export const principal = {
  accountId: "office",
  keyId: "clerk",
  scopes: ["read", "write"],
  kind: "local",
} as const;
export const policy = { maxSideEffect: "user_write" } as const;
export const lease = { leaseMs: 600, renewMs: 150 } as const;

/** `file`: where each sending is written down, with who has sent it by which key. */
export function mailOf(process: string, file: string) {
  return defineTool({
    name: "mail.send",
    description: "Sends a letter.",
    input: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
    output: {},
    permissions: ["mail"],
    sideEffect: "user_write",
    costEffect: "none",
    idempotency: { type: "key", keyRetentionMs: 86_400_000 },
    run: (_input, { idempotencyKey }) => {
      appendFileSync(file, `${process} ${idempotencyKey}\n`);
      return { sent: true };
    },
  });
}

const model: ModelAdapter = {
  name: "clerk",
  offline: true,
  complete: async ({ messages }) => {
    const usage = { inputTokens: 1, outputTokens: 1 };
    if (messages.some(({ role }) => role === "tool"))
      return { text: "done", toolCalls: [], finish: "stop", usage };
    const toolCalls = [{ id: "t1", name: "mail.send", args: { to: "anna" } }];
    return { text: "", toolCalls, finish: "tool_calls", usage };
  },
};

export function runsOf(process: string, file: string): Omit<RunsOptions, "store"> {
  return {
    packs: [mailOf(process, file)],
    levels: [{ level: "agent", policy }],
    principal,
    agentId: "clerk",
    installation,
    model: { adapter: model },
    runLimits: { sweepMs: 100 },
  };
}
