// S1: of a key only the name of the variable is told that has it; a model's name only where it holds nothing to hide.
import { isSimpleFunctionsError, MissingApiKeyError } from "@spfunctions/contracts";
import { modelKeys } from "../command-line/model-keys.ts";
import type { CliIo } from "../io/cli-io.ts";
import { toldWord } from "../io/told-word.ts";
import { namedModel } from "../run/named-model.ts";
import { type Check, failed, ok, warn } from "./check.ts";

/** Whether the usual model can be asked: it is named, and its provider's key is there. Nobody is asked. */
export function modelCheck({ env, cwd }: Pick<CliIo, "env" | "cwd">): Check {
  const keys = modelKeys.filter((name) => (env[name] ?? "") !== "");
  const about = { check: "model", facts: { keys: [...keys] } };
  const held = keys.length === 0 ? "no key of a provider is set" : `set: ${keys.join(", ")}`;
  const { SF_MODEL: name = "" } = env;
  if (name === "")
    return ok(about, `none is named in SF_MODEL; --model names one, sf run --demo needs none; ${held}`);
  const told = toldWord(name);
  try {
    namedModel(name, { env, cwd });
    return ok(about, `${told}, from SF_MODEL; ${held}`);
  } catch (error) {
    if (error instanceof MissingApiKeyError)
      return warn(about, `${told}, from SF_MODEL, needs a key, and none is set`, todoOf(error));
    if (!isSimpleFunctionsError(error)) throw error;
    return failed(about, error, "name another in SF_MODEL");
  }
}

function todoOf({ details }: MissingApiKeyError): string {
  return `put it into ${String(details?.["variable"])} or SF_MODEL_KEY`;
}
