// What anybody can see without a key, a network or a configuration: a script drives a real run, and a subagent of it, over the embedded
// markets.
import { subagent } from "@spfunctions/agent/v1";
import type { AgentPolicy } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { finding, researcherObjective } from "./demo-researcher.ts";

/** What it is to do. */
export const demoObjective =
  "Find out what the markets make of the rain. If one of them is worth it, buy a little of it on paper, and report.";

const reading = ["market.inspect", "markets.search", "world.read"] as const;

/** Reads for its parent, and has nothing to trade with. */
const researcher = subagent({
  name: "researcher",
  objective: researcherObjective,
  tools: reading,
  budget: { maxSteps: 5, maxToolCalls: 4 },
  output: finding,
});

/** What the demo has besides the tools of the platform. */
export const demoPack = [researcher];

export const demoTools = [...reading, "paper.order", researcher.contract.name].toSorted();

/** It may trade on paper, and a person is asked before it does. */
export const demoPolicy: AgentPolicy = {
  maxSideEffect: "paper_trade",
  maxCostEffect: "llm_cost",
  allowTools: demoTools,
  budget: { maxSteps: 9, maxToolCalls: 8, maxChildren: 1 },
  session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
};

/** With nothing of what somebody has set up for their own runs: it stays on this machine, and in this folder. */
export function demoContext(context: CommandContext): CommandContext {
  const { SF_API_URL: _url, SF_API_KEY: _key, SF_STORE: _store, ...env } = context.io.env;
  return { ...context, io: { ...context.io, env } };
}
