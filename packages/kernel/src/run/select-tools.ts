// The package holds everything that the policy would allow; what of it a model is shown is chosen here.
import { type ContractTool, keyForMessage, nearest, UnknownToolError } from "@spfunctions/contracts";
import type { ToolRegistry } from "../tool/registry.ts";
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
    const suggestions = nearest(name, [...tools.keys()]);
    const hint = suggestions.length === 0 ? "" : `; did you mean ${suggestions.join(" or ")}?`;
    throw new UnknownToolError(`${what}: there is no tool ${keyForMessage(name)}${hint}`, {
      details: { suggestions },
    });
  }
}

/** Chooses among what may be called. */
export class ToolChoice {
  readonly #selection: ToolSelection;
  readonly #tools: ReadonlyMap<string, ContractTool>;
  readonly #rank: RankTools;

  constructor(selection: ToolSelection, mayBeCalled: readonly ContractTool[]) {
    this.#selection = selection;
    const searched = mayBeCalled.filter(({ name }) => name !== searchToolName);
    this.#tools = new Map(mayBeCalled.map((tool) => [tool.name, tool]));
    this.#rank = rankTools(searched);
  }

  /** From the beginning on, for what a run is to do. Where nothing fits, what is on by default. */
  shownFor(objective: string): string[] {
    const { preload, candidates } = this.#selection;
    const shown = new Set(preload.filter((name) => this.#tools.has(name)));
    if (candidates === undefined) return [...shown].toSorted();
    const found = this.#rank(objective, candidates);
    const usual = [...this.#tools.values()]
      .filter(({ agent }) => agent.defaultEnabled)
      .map(({ name }) => name);
    const most = shown.size + candidates;
    for (const name of [...found, ...usual]) {
      if (shown.size >= most) break;
      if (name !== searchToolName) shown.add(name);
    }
    if (this.#tools.has(searchToolName)) shown.add(searchToolName);
    return [...shown].toSorted();
  }

  find(query: string, limit: number): FoundTool[] {
    return this.#rank(query, limit).map((one) => {
      const { name, title, description, sideEffect, costEffect } = this.#tools.get(one) as ContractTool;
      return { name, title, description, sideEffect, costEffect };
    });
  }
}
