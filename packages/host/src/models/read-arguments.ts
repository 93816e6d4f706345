import { isJsonObject, type JsonObject, type JsonValue, parseJsonStrict } from "@spfunctions/contracts";

/**
 * What a model wrote as the arguments of a call. Nothing is no arguments; what is no JSON, or JSON that says two things, is given
 * on as the text that it is: a tool takes an object, so that the call is refused and the model told.
 */
export function readArguments(text: string): JsonValue {
  if (text.trim() === "") return {};
  try {
    return parseJsonStrict(text);
  } catch {
    return text.toWellFormed();
  }
}

/** Arguments as providers take them back: an object, also where the model had written none. */
export function argumentsObject(args: JsonValue): JsonObject {
  return isJsonObject(args) ? args : { arguments: args };
}
