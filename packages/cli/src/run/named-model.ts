// S1: a model's key comes from the environment alone. What names a model is not repeated where it may hold a secret.
import {
  errorFor,
  isSimpleFunctionsError,
  MissingApiKeyError,
  redactText,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { modelFrom, priceFor } from "@spfunctions/host/models";
import type { RunModel } from "@spfunctions/kernel";
import { resolve } from "node:path";
import { asBadUsage, badUsage } from "../command-line/bad-usage.ts";
import type { CliIo } from "../io/cli-io.ts";

type Surroundings = Pick<CliIo, "env" | "cwd">;

const forms = "scripted:<file>, openai:<model>@<address> or anthropic:<model>";

/** Whether a text names a model, and no module that has one. */
export function isModelName(text: string): boolean {
  return /^(?:scripted|openai|anthropic):/.test(text);
}

/** What names the model: what was given, or what the environment says. */
export function modelNameIn(given: string | undefined, { env }: Pick<CliIo, "env">): string | undefined {
  return given || env.SF_MODEL || undefined;
}

/** The model that a text names, with its price where that is known. */
export function namedModel(text: string, { env, cwd }: Surroundings): RunModel {
  try {
    return { adapter: modelFrom(inFolder(text, cwd), env), price: priceFor(text) };
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    if (error instanceof MissingApiKeyError) throw error;
    throw asBadUsage(
      error.details?.reason === "unknown_model" ? unknown(error, text) : asGiven(error, text, cwd),
    );
  }
}

/** Without one nothing can be run. */
export function noModel(what = "a run", without = "sf run --demo needs none"): SimpleFunctionsError {
  return badUsage(
    `${what} needs a model: give --model ${forms}, or set SF_MODEL; a model's key is read from the environment. ${without}`,
  );
}

/** A script lies where the command line says, seen from there. */
function inFolder(text: string, cwd: string): string {
  const file = scriptIn(text);
  return file === undefined ? text : `scripted:${resolve(cwd, file)}`;
}

/** S1: what was given is repeated only where it holds nothing to hide; of an address, what follows a password. */
function unknown(error: SimpleFunctionsError, text: string): SimpleFunctionsError {
  const { code, details, retry } = error;
  const [, address = ""] = /^openai:[^@]+@(?:.*@)?([\w.-]+(?::\d+)?(?:\/[\w./-]*)?)$/.exec(text) ?? [];
  const isTold = redactText(text) === text && !text.includes("@");
  const message =
    address !== "" && redactText(text) === text
      ? `the address ${address} needs http:// or https:// before it: openai:<model>@http://${address}`
      : `${isTold ? JSON.stringify(text) : "this"} names no model; write ${forms}`;
  return errorFor(code, message, { ...(details && { details }), retry, cause: error });
}

function asGiven(error: SimpleFunctionsError, text: string, cwd: string): SimpleFunctionsError {
  const file = scriptIn(text);
  if (file === undefined) return error;
  const { code, message, details, retry } = error;
  return errorFor(code, message.replaceAll(resolve(cwd, file), file), {
    ...(details && { details }),
    retry,
    cause: error,
  });
}

function scriptIn(text: string): string | undefined {
  const file = text.startsWith("scripted:") ? text.slice("scripted:".length) : "";
  return file === "" ? undefined : file;
}
