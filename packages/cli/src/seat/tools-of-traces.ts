import { type ContractTool, LiveDisabledError } from "@spfunctions/contracts";
import { defineTool } from "@spfunctions/agent";
import type { Tool, Trace } from "@spfunctions/kernel";

/** A trace replays alone: its first line has the contracts. What they describe cannot be run from here. */
export function toolsOfTraces(traces: readonly Trace[]): Tool[] {
  const contracts = new Map<string, ContractTool>();
  for (const contract of traces.flatMap(({ header }) => header?.tools ?? [])) {
    if (!contracts.has(contract.name)) contracts.set(contract.name, contract);
  }
  return [...contracts.values()].map(described);
}

/** What follows from the rest is left out, and comes out the same. */
function described(contract: ContractTool): Tool {
  const { digest: _digest, compatName: _compatName, agent, replay, ...spec } = contract;
  return defineTool({
    ...spec,
    agent: { callable: agent.callable, defaultEnabled: agent.defaultEnabled },
    replay: { replayable: replay.replayable },
    run() {
      throw new LiveDisabledError(`${contract.name} is known from a trace alone and cannot run`);
    },
  });
}
