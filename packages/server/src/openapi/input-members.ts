import {
  inPlaceSchemas,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listIn,
  membersIn,
} from "@spfunctions/contracts";

/** One member of a tool's input, as its schema declares it. */
export type InputMember = { readonly schema: JsonValue; readonly isRequired: boolean };

/**
 * The members that an input schema declares, wherever in it, with references from the root of `document`. Where there
 * are several statements about one, any may hold.
 */
export function inputMembers(document: JsonObject, input: JsonObject): ReadonlyMap<string, InputMember> {
  const found = new Map<string, JsonValue[]>();
  const required = new Set<JsonValue>();
  const seen = new Set<JsonValue>();
  const visit = (here: JsonValue, isCertain: boolean): void => {
    if (!isJsonObject(here) || seen.has(here)) return;
    seen.add(here);
    for (const [name, schema] of membersIn(here, "properties")) {
      found.set(name, [...(found.get(name) ?? []), schema]);
    }
    if (isCertain) for (const name of listIn(here, "required")) required.add(name);
    const { always, sometimes } = inPlaceSchemas(document, here);
    for (const child of always) visit(child, isCertain);
    for (const child of sometimes) visit(child, false);
  };
  visit(input, true);
  return new Map(
    [...found].map(([name, [first = true, ...more]]) => [
      name,
      { schema: more.length === 0 ? first : { anyOf: [first, ...more] }, isRequired: required.has(name) },
    ]),
  );
}
