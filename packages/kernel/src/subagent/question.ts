// How a child's model asks whoever gave it its task: by its own last word alone, so that it needs no tool for it, and nothing that it
// reads can ask in its place.
import {
  isSimpleFunctionsError,
  type JsonObject,
  type JsonValue,
  parseJsonStrict,
} from "@spfunctions/contracts";

/**
 * What a child asks its parent.
 * @limit child.questionChars | it is taken for an answer, not for a question | fixed: a question is short
 */
const mostChars = 4000;

/** What a child that may ask is told first. */
export const howToAsk =
  'If you cannot go on without something that only whoever gave you this task can tell you, answer with {"ask":"your question"} and nothing else.';

/** The question, where a last word is one. */
export function questionIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{")) return undefined;
  const { ask, ...rest } = membersOf(parsed(trimmed));
  const isQuestion = typeof ask === "string" && ask.trim() !== "" && ask.length <= mostChars;
  return isQuestion && Object.keys(rest).length === 0 ? ask : undefined;
}

function membersOf(value: JsonValue | undefined): JsonObject {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : {};
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJsonStrict(text);
  } catch (error) {
    if (isSimpleFunctionsError(error)) return undefined;
    throw error;
  }
}
