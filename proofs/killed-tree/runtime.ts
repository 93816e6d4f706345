// The runtime of every life of the program that is killed: the same tools, subagents, policy and model each time, and what its host does.
import { SimpleFunctionsRuntime, subagent } from "@spfunctions/agent/v1";
import type { Store, Tool } from "@spfunctions/kernel";
import { isAskedAbout } from "../killed-runtime/plan.ts";
import { day, installation, operationIn, starter, tool, toolsOf } from "../killed-runtime/runtime.ts";
import { Marks } from "./marks.ts";
import { type Role, toolOfRole } from "./plan.ts";
import { model } from "./scripted-model.ts";

const ledger = ["ledger.keyed", "ledger.natural", "ledger.plain"];
const child = (name: Role, more: Partial<Parameters<typeof subagent>[0]> = {}) =>
  subagent({
    name: toolOfRole(name),
    objective: `You are the ${name}.`,
    tools: ledger,
    budget: { maxSteps: 40, maxToolCalls: 40 },
    ...more,
  });

function subagents(): Tool[] {
  return [
    child("planner", {
      tools: [...ledger, "team.wait"],
      budget: { maxSteps: 90, maxToolCalls: 90, maxChildren: 1 },
    }),
    child("helper"),
    child("clerk", { mode: "background" }),
    child("asker", { mayAsk: true }),
    child("mason"),
  ];
}

export class TreeRuntime extends SimpleFunctionsRuntime {
  /** What the host has done for which run, in this life. */
  readonly done: Marks;

  constructor(store: Store, server: string) {
    const done = new Marks();
    super({
      packs: [[...toolsOf(server), waiting(done)], subagents()],
      model,
      store,
      installation,
      principal: starter,
      agentId: "prover",
      policy: {
        maxSideEffect: "user_write",
        maxCostEffect: "llm_cost",
        approvals: { requireForSideEffectAtOrAbove: "secret" },
        budget: { maxSteps: 400, maxToolCalls: 400, maxChildren: 5, maxDepth: 2 },
        session: { persist: true, ttlMs: day, maxHistoryTokens: 100_000 },
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
    });
    this.done = done;
  }
}

/** Until the host has done in this life what is to be done for a run. */
function waiting(done: Marks): Tool {
  return tool(
    { name: "team.wait", sideEffect: "none", timeoutMs: 600_000 },
    async (_operation, _key, signal, runId) => await done.until(runId, signal),
  );
}
