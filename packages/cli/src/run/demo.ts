// What anybody can see without a key, a network or a configuration: a script drives a real run over the embedded markets.
import type { AgentPolicy } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";

/** What it is to do. */
export const demoObjective =
  "Find out what the markets make of the rain. If one of them is worth it, buy a little of it on paper, and report.";

export const demoTools = ["market.inspect", "markets.search", "paper.order", "world.read"] as const;

/** It may trade on paper, and a person is asked before it does. */
export const demoPolicy: AgentPolicy = {
  maxSideEffect: "paper_trade",
  allowTools: [...demoTools],
  budget: { maxSteps: 8, maxToolCalls: 8 },
  session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
};

/** With nothing of what somebody has set up for their own runs: it stays on this machine, and in this folder. */
export function demoContext(context: CommandContext): CommandContext {
  const { SF_API_URL: _url, SF_API_KEY: _key, SF_STORE: _store, ...env } = context.io.env;
  return { ...context, io: { ...context.io, env } };
}
