import { nearest, UnknownToolError } from "@spfunctions/contracts";
import type { KeptManifest } from "../manifest/kept-manifest.ts";
import { factsOf, type ToolEntry, type ToolFacts, withoutRoute } from "./tool-facts.ts";

/** Which tool a canonical name stands for: those this client was built with, then those the platform has besides. */
export class ToolDirectory {
  readonly #entries: ReadonlyMap<string, ToolFacts>;
  readonly #manifest: KeptManifest;

  constructor(table: readonly ToolEntry[], manifest: KeptManifest) {
    this.#entries = new Map(table.map((entry) => [entry.route.tool, entry]));
    this.#manifest = manifest;
  }

  /** A tool that this client was built with. */
  known(name: string): ToolFacts | undefined {
    return this.#entries.get(name);
  }

  /** A tool that the platform has. What is not its exact name is suggested and never resolved. */
  async find(name: string): Promise<ToolFacts> {
    const kept = this.#manifest.kept?.tools.find((tool) => tool.name === name);
    const tool = kept ?? (await this.#manifest.load()).tools.find((one) => one.name === name);
    if (tool === undefined) throw this.#unknown(name);
    const facts = factsOf(tool);
    if (facts !== undefined) return facts;
    throw withoutRoute(name);
  }

  #unknown(name: string): UnknownToolError {
    const names = new Set([
      ...this.#entries.keys(),
      ...(this.#manifest.kept?.tools ?? []).map((tool) => tool.name),
    ]);
    const suggestions = nearest(name, names);
    const hint =
      suggestions.length === 0
        ? "sf.manifest.list() says which there are"
        : `did you mean ${suggestions.join(" or ")}?`;
    return new UnknownToolError(`the platform has no tool of this name; ${hint}`, {
      details: { suggestions },
    });
  }
}
