import type { ContractTool } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";

/** As they were given. */
export type ToolsOptions = { readonly pack?: readonly string[]; readonly url?: string };

/** Those of the named packs, those of a platform, or none. */
export async function toolsFor(
  { pack, url }: ToolsOptions,
  context: CommandContext,
): Promise<readonly ContractTool[]> {
  if (pack !== undefined) {
    const { loadPacks } = await import("../packs/load-packs.ts");
    return (await loadPacks(pack, context.io)).tools.map(({ contract }) => contract);
  }
  if (url === undefined) return [];
  const { contractsOf } = await import("../platform/contracts-of.ts");
  return (await contractsOf({ url }, "review", context)).tools;
}
