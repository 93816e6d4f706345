import { readFileSync } from "node:fs";
import { InvalidInputError, isSimpleFunctionsError, parseJsonStrict } from "@spfunctions/contracts";
import { readStep } from "./read-step.ts";
import type { ScriptStep } from "./script-step.ts";

/** The steps of a file: a JSON list, or with a name that ends in `.jsonl` one step on each line. */
export function readScript(path: string): readonly ScriptStep[] {
  const text = readText(path);
  const steps = path.endsWith(".jsonl") ? linesOf(path, text) : listOf(path, text);
  if (steps.length === 0) throw unusable(`the script ${path} has no step`, "empty");
  return steps;
}

function linesOf(path: string, text: string): ScriptStep[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "") return [];
    const at = `${path}:${index + 1}`;
    return [readStep(parse(line, at), at)];
  });
}

function listOf(path: string, text: string): ScriptStep[] {
  const steps = parse(text, path);
  if (!Array.isArray(steps))
    throw unusable(
      `the script ${path} is no list of steps; one step a line goes into a .jsonl file`,
      "script",
    );
  return steps.map((step, index) => readStep(step, `${path}#/${index}`));
}

function parse(text: string, at: string): unknown {
  try {
    return parseJsonStrict(text);
  } catch (error) {
    const why = isSimpleFunctionsError(error) ? error.message : "it is no JSON";
    throw unusable(`the script ${at}: ${why}`, "not_json");
  }
}

function readText(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    const why = code === "ENOENT" ? "is not there" : "cannot be read as text";
    throw unusable(`the script ${path} ${why}; name a file of steps`, "unreadable");
  }
}

function unusable(message: string, reason: string): InvalidInputError {
  return new InvalidInputError(message, { details: { reason } });
}
