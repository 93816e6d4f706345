import { type ContractManifest, InvalidPackageError, joinContracts } from "@spfunctions/contracts";
import { isBound } from "../call/executors.ts";
import type { Pack, Tool } from "./make-tool.ts";

/** The tools of one place: its whole manifest, and each tool by its canonical name. */
export type ToolRegistry = {
  /** In review mode: also what is not active, so that the judge can say so. */
  readonly manifest: ContractManifest;
  readonly tools: ReadonlyMap<string, Tool>;
};

const registries = new WeakSet<object>();

/** A registry as it is, and of packs a new one. Only what `registerPacks` has made passes for a registry. */
export function registryOf(given: readonly Pack[] | ToolRegistry): ToolRegistry {
  return registries.has(given) ? (given as ToolRegistry) : registerPacks(given as readonly Pack[]);
}

/** Puts packs together. A name in two of them, or something that `defineTool` did not make, is refused. */
export function registerPacks(packs: readonly Pack[]): ToolRegistry {
  if (!Array.isArray(packs)) throw new InvalidPackageError("packs is a list: packs: [tool, [tool, tool], …]");
  const tools = (packs as readonly Pack[]).flatMap((pack) => pack);
  const stranger = tools.findIndex((tool) => !isBound(tool));
  if (stranger !== -1) {
    throw new InvalidPackageError(
      `invalid pack: entry ${stranger} is not a tool; tools are made by defineTool`,
      {
        details: { path: `/${stranger}`, reason: "not_a_tool" },
      },
    );
  }
  const manifest = joinContracts(
    tools.map(({ contract }) => contract),
    "review",
  );
  const byName = new Map(tools.map((tool) => [tool.contract.name, tool]));
  const registry: ToolRegistry = Object.freeze({ manifest, tools: byName });
  registries.add(registry);
  return registry;
}
