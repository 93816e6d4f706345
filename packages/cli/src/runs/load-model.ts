import { InvalidPackageError, isSimpleFunctionsError } from "@spfunctions/contracts";
import type { ModelAdapter, RunModel, RunsOptions } from "@spfunctions/kernel";
import type { CliIo } from "../io/cli-io.ts";
import { importModule } from "../packs/import-module.ts";
import { rulesInModule } from "../packs/rules-in-module.ts";
import { isModelName, namedModel } from "../run/named-model.ts";

type Module = Readonly<Record<string, unknown>>;

/** What of the host's may have a say in a run, besides its policies. */
export type RunPorts = Pick<RunsOptions, "rules" | "evaluatePreTool" | "evaluatePostTool" | "isStarterValid">;

/** A model, and what else a host gives a run. */
export type LoadedModel = { readonly model: RunModel; readonly ports: RunPorts };

/** The model that a text names, or that a module has as its default or model export, with the ports that it exports beside it. */
export async function loadModel(
  name: string,
  { cwd, env, entering }: Pick<CliIo, "cwd" | "env" | "entering">,
): Promise<LoadedModel> {
  if (isModelName(name)) return { model: namedModel(name, { env, cwd }), ports: {} };
  entering?.({ type: "pack", name });
  const module = await importModule(name, cwd, "model");
  try {
    const model = modelIn(module.default) ?? modelIn(module.model);
    if (model !== undefined) return { model, ports: portsIn(module, name) };
  } catch (error) {
    // What it has instead throws when it is looked at.
    if (isSimpleFunctionsError(error)) throw error;
  }
  throw new InvalidPackageError(
    `model ${name}: expected a model adapter, { name, complete }, or { adapter, price, maxOutputTokens } as its default or model export`,
    { details: { reason: "no_model" } },
  );
}

function modelIn(value: unknown): RunModel | undefined {
  if (isAdapter(value)) return { adapter: value };
  if (typeof value !== "object" || value === null) return undefined;
  const { adapter, price, maxOutputTokens, countTokens } = value as Partial<RunModel>;
  return isAdapter(adapter) ? { adapter, price, maxOutputTokens, countTokens } : undefined;
}

/** By its looks: what it answers is checked by whoever asks it. */
function isAdapter(value: unknown): value is ModelAdapter {
  if (typeof value !== "object" || value === null) return false;
  const { name, complete } = value as Partial<ModelAdapter>;
  return typeof name === "string" && typeof complete === "function";
}

const portNames = ["evaluatePreTool", "evaluatePostTool", "isStarterValid"] as const;

function portsIn(module: Module, name: string): RunPorts {
  const given = portNames.filter((port) => module[port] !== undefined);
  const wrong = given.find((port) => typeof module[port] !== "function");
  if (wrong !== undefined)
    throw new InvalidPackageError(`model ${name}: its export ${wrong} is no function`, {
      details: { reason: "not_a_port" },
    });
  return { ...Object.fromEntries(given.map((port) => [port, module[port]])), ...rulesIn(module, name) };
}

function rulesIn({ rules }: Module, name: string): Pick<RunPorts, "rules"> {
  return rules === undefined ? {} : { rules: rulesInModule({ rules }, `model ${name}`) };
}
