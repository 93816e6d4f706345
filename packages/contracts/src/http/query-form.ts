import type { JsonObject } from "../json/json-value.ts";
import { arrayType, isPlain, itemTypesOf, memberTypesOf, typesOf } from "./json-types.ts";

/** How a member can be written in a query: as it is, once for each item of a list, or as JSON text. */
export type QueryForm = "plain" | "list" | "json";

/** The simplest form in which `inputReaderOf` takes a member of this input from a query. */
export function queryFormOf(input: JsonObject, name: string): QueryForm {
  const types = memberTypesOf(input, name, typesOf);
  if (isPlain(types)) return "plain";
  return types === arrayType && isPlain(memberTypesOf(input, name, itemTypesOf)) ? "list" : "json";
}
