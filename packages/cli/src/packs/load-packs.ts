import { InvalidPackageError, isSimpleFunctionsError } from "@spfunctions/contracts";
import type { Tool } from "@spfunctions/kernel";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CliIo } from "../io/cli-io.ts";
import { importModule } from "./import-module.ts";
import { LateStore } from "./late-store.ts";
import { ownPack, ownPacks } from "./own-packs.ts";
import { toolsInModule } from "./tools-in-module.ts";

/** The tools of the named modules, in their order. Those of ours that keep something do so in `store`, once it is open. */
export async function loadPacks(
  names: readonly string[],
  { cwd, entering }: Pick<CliIo, "cwd" | "entering">,
  store = new LateStore(),
): Promise<Tool[]> {
  if (names.length === 0)
    throw badUsage(
      `there are no tools to choose from; name a module that has them with --pack, or one of ${ownPacks}; the tools of a platform are called with sf agent --tool`,
    );
  const tools: Tool[] = [];
  for (const name of names) {
    entering?.({ type: "pack", name });
    // oxlint-disable-next-line no-await-in-loop -- one after the other: a module may do something when it is loaded
    tools.push(...(await toolsOf(name, cwd, store)));
  }
  // What a crash has left may be run by any of them.
  entering?.({ type: "pack", name: names.join(", ") });
  return tools;
}

async function toolsOf(name: string, cwd: string, store: LateStore): Promise<readonly Tool[]> {
  return (await ownPack(name, cwd, store.now)) ?? toolsInModule(await importModule(name, cwd), name);
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
