import { InvalidInputError } from "../error/error-classes.ts";
import type { JsonValue } from "../json/json-value.ts";
import { parseJsonStrict } from "../json/parse-json-strict.ts";
import { pathForMessage } from "../json/path-for-message.ts";
import { arrayType, type JsonTypes, noType, stringType } from "./json-types.ts";

export type ReadText = (name: string, text: string) => JsonValue;
export type ReadTexts = (name: string, texts: readonly string[]) => JsonValue;

/** How one input member is read from text: given once, or as often as the list has items. */
export type MemberReader =
  | { readonly type: "one"; readonly read: ReadText }
  | { readonly type: "list"; readonly read: ReadTexts };

/** The reader for a member of these types; `ambiguous` where the text "5" could be a string or a number. */
export function memberReaderOf(types: JsonTypes, itemTypes: JsonTypes): MemberReader | "ambiguous" {
  // Nothing fits where no type is left: the schema gate says so.
  if (types === noType || types === stringType) return { type: "one", read: (_, text) => text };
  if ((types & stringType) !== 0) return "ambiguous";
  if ((types & arrayType) === 0) return { type: "one", read: readJson };
  const readItem = itemReaderOf(itemTypes);
  const read: ReadTexts = (name, texts) => {
    const [text = "", ...more] = texts;
    if (more.length === 0 && (types !== arrayType || text.startsWith("["))) return readJson(name, text);
    return texts.map((item) => readItem(name, item));
  };
  return { type: "list", read };
}

function itemReaderOf(types: JsonTypes): ReadText {
  if (types === stringType) return (_, text) => text;
  if ((types & stringType) === 0) return readJson;
  return (name) =>
    refuseMember(name, "ambiguous_item", "has items of several types: give it once, as a JSON array");
}

function readJson(name: string, text: string): JsonValue {
  try {
    return parseJsonStrict(text);
  } catch (error) {
    const { details } = error as InvalidInputError;
    const path = pathForMessage([name]) + (details?.path ?? "");
    throw new InvalidInputError(`invalid input: ${path} is not given as JSON text`, {
      details: { path, reason: details?.reason ?? "syntax" },
    });
  }
}

export function refuseMember(name: string, reason: string, what: string): never {
  const path = pathForMessage([name]);
  throw new InvalidInputError(`invalid input: ${path} ${what}`, { details: { path, reason } });
}
