import {
  InvalidInputError,
  isSimpleFunctionsError,
  type JsonObject,
  type JsonValue,
  parsePolicy,
  snapshotJson,
  refuseUnknown,
} from "@spfunctions/contracts";
import { jsonSchemaOf, type ToolSchema } from "@spfunctions/kernel";
import { bad } from "../given-options.ts";
import type { RunTerms, RuntimeRunInput } from "./runtime-options.ts";

/** What a run is to do, and with what, read once: what its owner does to it from then on is too late. */
export type ReadRunInput = {
  readonly objective: JsonValue;
  readonly terms: RunTerms;
  readonly sessionId: string | undefined;
  readonly signal: AbortSignal | undefined;
};

const known = ["objective", "tools", "context", "sessionId", "maxSteps", "policy", "output", "signal"];

export function readRunInput(
  input: RuntimeRunInput,
  { agentId, instructions }: { readonly agentId: string; readonly instructions?: string | undefined },
): ReadRunInput {
  refuseUnknown(input, known, "part of a run");
  const { objective, tools, context, sessionId, maxSteps, policy, output, signal } = input;
  if (typeof objective !== "string" || objective.trim() === "")
    throw bad("/objective", "the objective is a text that says what is to be done");
  if (tools !== undefined && (!Array.isArray(tools) || !tools.every((one) => typeof one === "string")))
    throw bad("/tools", "tools is a list of canonical names");
  if (maxSteps !== undefined && !(Number.isSafeInteger(maxSteps) && maxSteps >= 0))
    throw bad("/maxSteps", "maxSteps is a whole number of 0 or more");
  const user = {
    role: "user",
    text: objective,
    ...(context !== undefined && { data: contextData(context) }),
  };
  return {
    objective: instructions === undefined ? [user] : [{ role: "system", text: instructions }, user],
    terms: {
      ...(tools && { tools: [...new Set(tools)].toSorted() }),
      ...(maxSteps !== undefined && { maxSteps }),
      ...(policy !== undefined && { policy: parsePolicy(policy) }),
      ...(output !== undefined && { output: outputOf(output, agentId) }),
    },
    sessionId,
    signal,
  };
}

function contextData(context: unknown): JsonValue {
  if (typeof context !== "object" || context === null || Array.isArray(context))
    throw bad("/context", "context is an object");
  try {
    return snapshotJson(context);
  } catch (error) {
    if (isSimpleFunctionsError(error)) throw bad("/context", `context: ${error.message}`);
    throw error;
  }
}

/** Other keys than those that it names are refused, as in a tool's input. */
function outputOf(schema: ToolSchema, agentId: string): JsonObject {
  try {
    return jsonSchemaOf(schema, "input", agentId);
  } catch (cause) {
    if (!isSimpleFunctionsError(cause)) throw cause;
    const why = cause.message.replace(/^invalid tool [^:]*: input: /, "");
    throw new InvalidInputError(`output: ${why}`, {
      details: { path: "/output", reason: "bad_schema" },
      cause,
    });
  }
}
