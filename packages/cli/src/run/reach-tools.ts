import type { SimpleFunctionsRuntimeOptions } from "@spfunctions/agent/v1";
import type { ContractManifest } from "@spfunctions/contracts";
import { registerPacks } from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import type { LateStore } from "../packs/late-store.ts";
import { explainStranger, type LoadedPacks, loadPacks } from "../packs/load-packs.ts";
import { awayTold } from "../platform/away-told.ts";
import { reachPlatform } from "../platform/reach-platform.ts";
import { callerOf, starterOf } from "../seat/caller.ts";
import { demoPack } from "./demo.ts";
import type { RunCommandOptions } from "./run-options.ts";

/** Tools, and who calls them. */
export type ReachedTools = Pick<SimpleFunctionsRuntimeOptions, "client" | "packs" | "rules" | "principal"> & {
  readonly manifest: ContractManifest;
  /** Whose they are. */
  readonly where: string;
  readonly close: () => Promise<void>;
};

/** Those of packs, where some are named; else those of the platform that `sf agent` would reach. */
export async function reachTools(
  options: RunCommandOptions,
  late: LateStore,
  context: CommandContext,
): Promise<ReachedTools> {
  const { pack, account } = options;
  if (pack !== undefined) return toolsOfPacks(pack, await loadPacks(pack, context.io, late), account);
  const { io, print } = context;
  const fetch = awayTold((text) => print.err({ text, style: "dim" }), io.signal);
  const { client, where, close } = await reachPlatform({ ...options, fetch }, "starter", context);
  try {
    const manifest = await client.manifest.list({}, { signal: io.signal });
    const principal = starterOf(account, client.credentialId() ?? "none");
    const own = options.demo === true ? { packs: [demoPack] } : {};
    return { client, ...own, principal, manifest, where: `the platform ${where}`, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

function toolsOfPacks(
  names: readonly string[],
  { tools, rules }: LoadedPacks,
  account: string,
): ReachedTools {
  try {
    const { manifest } = registerPacks([tools]);
    const principal = callerOf(account);
    return {
      packs: [tools],
      rules,
      principal,
      manifest,
      where: names.join(", "),
      close: async () => undefined,
    };
  } catch (error) {
    throw explainStranger(error, tools);
  }
}
