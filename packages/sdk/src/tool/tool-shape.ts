import { isJsonObject, type JsonObject, type JsonValue, localTarget } from "@spfunctions/contracts";

/** Whether a tool gives pages: its output is `{ items, next? }` and its input takes `after`. */
export function isList(input: JsonObject, output: JsonObject): boolean {
  const given = propertiesOf(output);
  const items = resolved(output, own(given, "items"));
  return (
    items["type"] === "array" && Object.hasOwn(given, "next") && Object.hasOwn(propertiesOf(input), "after")
  );
}

/** The only member that an input must have, if it is a text that stands in the path. */
export function soleParamOf(input: JsonObject, params: readonly string[]): string | undefined {
  const { required } = resolved(input, input);
  const [only, ...others] = Array.isArray(required) ? required : [];
  if (typeof only !== "string" || others.length > 0 || !params.includes(only)) return undefined;
  return resolved(input, own(propertiesOf(input), only))["type"] === "string" ? only : undefined;
}

function propertiesOf(schema: JsonObject): JsonObject {
  return objectOr(resolved(schema, schema)["properties"]);
}

/** A schema that only points at another place of the same document is that other one. */
function resolved(root: JsonObject, schema: JsonValue | undefined): JsonObject {
  const object = objectOr(schema);
  // One step is enough for what schemas are written like, and cannot go in a circle.
  return objectOr(localTarget(root, object["$ref"]) ?? object);
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function objectOr(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
