import type { JsonObject } from "@spfunctions/contracts";
import { z } from "zod";
import { withoutKeywords } from "./without-keywords.ts";

export function pathParameter(name: string, schema: z.ZodType): JsonObject {
  return { name, in: "path", required: true, schema: plainSchema(schema) };
}

export function plainSchema(schema: z.ZodType): JsonObject {
  return withoutKeywords(z.toJSONSchema(schema, { io: "input" }) as JsonObject, ["$schema"]);
}
