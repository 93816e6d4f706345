// Parts that many schemas are made of have a name, and are told once.
import * as contracts from "@spfunctions/contracts";
import { isJsonObject, type JsonObject } from "@spfunctions/contracts";
import { z } from "zod";
import { contentDigestSchema, failure } from "../../packages/contracts/src/record/record-parts.ts";
import { anchor } from "../markdown.ts";
import type { NamePart } from "./schema-type.ts";

/** Every exported schema by its name; the root of what is printed has none. */
function registryWithout(root: z.ZodType): z.core.$ZodRegistry<{ id: string }> {
  const registry = z.registry<{ id: string }>();
  const parts = { ...contracts, contentDigestSchema, recordedFailureSchema: failure };
  for (const [name, schema] of Object.entries(parts)) {
    if (!name.endsWith("Schema") || !(schema instanceof z.ZodType) || schema === root) continue;
    if (!registry.has(schema)) registry.add(schema, { id: name.slice(0, -"Schema".length) });
  }
  return registry;
}

export type PrintedSchema = { readonly schema: JsonObject; readonly parts: ReadonlyMap<string, JsonObject> };

/** A schema as JSON Schema, with the named parts that it is made of. */
export function printedSchema(root: z.ZodType): PrintedSchema {
  const { $defs, ...schema } = z.toJSONSchema(root, {
    io: "input",
    unrepresentable: "any",
    metadata: registryWithout(root),
  }) as JsonObject;
  const parts = Object.entries(isJsonObject($defs ?? null) ? ($defs as JsonObject) : {}).map(
    ([name, part]) => [name, part as JsonObject] as const,
  );
  return { schema, parts: new Map(parts) };
}

/** A part is told by its name, which leads to it. */
export const linkToPart: NamePart = (ref) => {
  const name = ref.slice(ref.lastIndexOf("/") + 1);
  return `[${name}](#${anchor(name)})`;
};
