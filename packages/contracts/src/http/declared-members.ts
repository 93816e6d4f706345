import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { inPlaceSchemas } from "../schema/in-place-schemas.ts";
import { membersIn } from "../schema/keyword-values.ts";
import { awayKeyword } from "../schema/local-target.ts";

/** The members that an input schema declares, wherever in it. */
export type DeclaredMembers = {
  readonly names: ReadonlySet<string>;
  /** What keeps the names from being known ahead: a keyword. */
  readonly hiddenBy?: string;
};

export function declaredMembers(root: JsonObject): DeclaredMembers {
  const names = new Set<string>();
  const hiding = new Set<string>();
  const seen = new Set<JsonValue>();
  const waiting: JsonValue[] = [root];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (!isJsonObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    const hidden = awayKeyword(root, schema) ?? hidingKeyword(schema);
    if (hidden !== undefined) hiding.add(hidden);
    for (const [name] of membersIn(schema, "properties")) names.add(name);
    const { always, sometimes } = inPlaceSchemas(root, schema);
    waiting.push(...always, ...sometimes);
  }
  const [hiddenBy] = hiding;
  return hiddenBy === undefined ? { names } : { names, hiddenBy };
}

function hidingKeyword(schema: JsonObject): string | undefined {
  if (isJsonObject(schema["unevaluatedProperties"])) return "unevaluatedProperties";
  return Object.hasOwn(schema, "patternProperties") ? "patternProperties" : undefined;
}
