// The package holds everything that the policy would allow; what of it a model is shown is chosen here.
import {
  type ContractTool,
  InvalidInputError,
  keyForMessage,
  nearest,
  UnknownToolError,
} from "@spfunctions/contracts";
import type { ToolRegistry } from "../../tool/registry.ts";
import { type RankTools, rankTools } from "./rank-tools.ts";
import { type FoundTool, searchToolName } from "./search-tool.ts";

/** Which tools a model is shown. */
export type ToolSelection = {
  /** In any case. */
  readonly preload: readonly string[];
  /** So many besides that fit what the run is to do best, and a tool to find others with; none unless given. */
  readonly candidates?: number | undefined;
};

/** Only canonical names: what is called otherwise is not looked up under another. */
export function requireCanonical(
  { tools }: Pick<ToolRegistry, "tools">,
  names: readonly string[],
  what: string,
): void {
  for (const name of names) {
    if (tools.has(name)) continue;
    const suggestions = suggestionsFor(name, tools);
    const hint = suggestions.length === 0 ? "" : `; did you mean ${suggestions.join(" or ")}?`;
    throw new UnknownToolError(`${what}: there is no tool ${keyForMessage(name)}${hint}`, {
      details: { suggestions },
    });
  }
}

/** What is written nearly so, or else what is about the same. */
function suggestionsFor(name: string, tools: ToolRegistry["tools"]): string[] {
  const near = nearest(name, [...tools.keys()]);
  return near.length > 0 ? near : rankTools([...tools.values()].map(({ contract }) => contract))(name, 3);
}

/**
 * Tools that a model is shown besides those that it is shown in any case, where tools are chosen for it.
 * @limit run.candidates | others are found with the search tool | `tools.maxCandidateTools` of a runtime
 */
export const usualCandidates = 8;

/** Chooses among what may be called. */
export class ToolChoice {
  readonly #preload: readonly string[];
  readonly #candidates: number | undefined;
  readonly #tools: ReadonlyMap<string, ContractTool>;
  readonly #rank: RankTools;

  constructor({ preload, candidates }: ToolSelection, mayBeCalled: readonly ContractTool[]) {
    if (candidates !== undefined && (!Number.isSafeInteger(candidates) || candidates < 0))
      throw new InvalidInputError("selection.candidates is how many tools are shown besides: 0 or more", {
        details: { path: "/selection/candidates" },
      });
    this.#candidates = candidates;
    const searched = mayBeCalled.filter(({ name }) => name !== searchToolName);
    this.#tools = new Map(mayBeCalled.map((tool) => [tool.name, tool]));
    this.#preload = preload.filter((name) => this.#tools.has(name));
    this.#rank = rankTools(searched);
  }

  /** From the beginning on, for what a run is to do. Where nothing fits, what is on by default. */
  shownFor(objective: string): string[] {
    const shown = new Set(this.#preload);
    if (this.#candidates === undefined) return [...shown].toSorted();
    const most = shown.size + this.#candidates;
    const found = this.#rank(objective, most);
    for (const name of found.length > 0 ? found : this.#usual())
      if (shown.size < most && name !== searchToolName) shown.add(name);
    if (this.#tools.has(searchToolName)) shown.add(searchToolName);
    return [...shown].toSorted();
  }

  #usual(): string[] {
    return [...this.#tools.values()].flatMap(({ name, agent }) => (agent.defaultEnabled ? [name] : []));
  }

  find(query: string, limit: number): FoundTool[] {
    return this.#rank(query, limit).map((one) => {
      const { name, title, description, sideEffect, costEffect } = this.#tools.get(one) as ContractTool;
      return { name, title, description, sideEffect, costEffect };
    });
  }
}
