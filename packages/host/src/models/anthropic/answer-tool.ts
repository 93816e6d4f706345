// There is no schema for a text: an answer that must be one is the input of a tool that the model has to call.
import { isJsonObject, type JsonObject, type JsonValue } from "@spfunctions/contracts";

/** A name of ours that no tool has: those have a dot. */
export const answerTool = "answer";

/** A tool's input is an object; what is to be something else is its one member. */
function isWrapped(output: JsonObject): boolean {
  return output["type"] !== "object";
}

export function answerToolOf(output: JsonObject): JsonObject {
  const { $defs, definitions, $schema: _, ...own } = output;
  // What it refers to by place stays where it was.
  const shared = { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) };
  const schema = isWrapped(output)
    ? { type: "object", properties: { answer: own }, required: ["answer"], ...shared }
    : output;
  return {
    name: answerTool,
    description: "Gives the answer. Call it once it is known.",
    input_schema: schema,
  };
}

/** The answer as text. */
export function answerText(input: JsonValue, output: JsonObject): string {
  if (typeof input === "string") return input;
  const answer = isWrapped(output) && isJsonObject(input) ? input["answer"] : input;
  return JSON.stringify(answer ?? input);
}
