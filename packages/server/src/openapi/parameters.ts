import type { JsonObject } from "@spfunctions/contracts";
import { z } from "zod";
import { type RecordName, recordRef } from "./record-schemas.ts";
import { withoutKeywords } from "./without-keywords.ts";

export function pathParameter(name: string, schema: z.ZodType): JsonObject {
  return { name, in: "path", required: true, schema: plainSchema(schema) };
}

export function plainSchema(schema: z.ZodType): JsonObject {
  return withoutKeywords(z.toJSONSchema(schema, { io: "input" }) as JsonObject, ["$schema"]);
}

export function queryParameter(name: string, schema: JsonObject): JsonObject {
  return { name, in: "query", required: false, schema };
}

/** A list of records. */
export function listOf(name: RecordName, more: JsonObject = {}): JsonObject {
  return {
    type: "object",
    properties: { items: { type: "array", items: recordRef(name) }, ...more },
    required: ["items"],
    additionalProperties: false,
  };
}
