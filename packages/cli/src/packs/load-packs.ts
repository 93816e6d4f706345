import { InvalidPackageError, isSimpleFunctionsError } from "@spfunctions/contracts";
import { type HostRule, readHostRules, type Tool } from "@spfunctions/kernel";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CliIo } from "../io/cli-io.ts";
import { importModule } from "./import-module.ts";
import { LateStore } from "./late-store.ts";
import { ownPack, ownPacks } from "./own-packs.ts";
import { rulesInModule } from "./rules-in-module.ts";
import { hasTools, toolsInModule } from "./tools-in-module.ts";

/** What the named modules offer: their tools, and the rules that their calls are under. */
export type LoadedPacks = { readonly tools: Tool[]; readonly rules: HostRule[] };

/** Loads the named modules, in their order. Those of ours that keep something do so in `store`, once it is open. */
export async function loadPacks(
  names: readonly string[],
  { cwd, entering }: Pick<CliIo, "cwd" | "entering">,
  store = new LateStore(),
): Promise<LoadedPacks> {
  if (names.length === 0)
    throw badUsage(
      `there are no tools to choose from; name a module that has them with --pack, or one of ${ownPacks}; the tools of a platform are called with sf agent --tool`,
    );
  const loaded: LoadedPacks = { tools: [], rules: [] };
  for (const name of names) {
    entering?.({ type: "pack", name });
    // oxlint-disable-next-line no-await-in-loop -- one after the other: a module may do something when it is loaded
    const { tools, rules } = await packOf(name, cwd, store);
    loaded.tools.push(...tools);
    // One rule that two modules export is one rule.
    loaded.rules.push(...rules.filter((rule) => !loaded.rules.includes(rule)));
  }
  requireRulesTogether(names, loaded.rules);
  // What a crash has left may be run by any of them.
  entering?.({ type: "pack", name: names.join(", ") });
  return loaded;
}

/** Each module's rules can be read, and those of two may still have one id. */
function requireRulesTogether(names: readonly string[], rules: readonly HostRule[]): void {
  try {
    readHostRules({ rules });
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    throw new InvalidPackageError(`packs ${names.join(", ")}: ${error.message}`, {
      details: { reason: "bad_rule" },
    });
  }
}

async function packOf(
  name: string,
  cwd: string,
  store: LateStore,
): Promise<{ readonly tools: readonly Tool[]; readonly rules: readonly HostRule[] }> {
  const own = await ownPack(name, cwd, store);
  if (own !== undefined) return { tools: own, rules: [] };
  const module = await importModule(name, cwd);
  const rules = rulesInModule(module, `pack ${name}`);
  // A module may have rules alone.
  return { tools: rules.length > 0 && !hasTools(module) ? [] : toolsInModule(module, name), rules };
}

/** What looks like a tool and is none was made by another kernel than ours. */
export function explainStranger(error: unknown, tools: readonly Tool[]): unknown {
  if (!isSimpleFunctionsError(error) || error.details?.reason !== "not_a_tool") return error;
  const name = tools[Number(error.details.path?.slice(1))]?.contract.name ?? "a tool";
  return new InvalidPackageError(
    `${name} was not made by the defineTool that this sf uses; run the sf of the project that the pack belongs to`,
    { details: { ...error.details }, cause: error },
  );
}
