import { z } from "zod";
import { isJsonPointer } from "../json/json-pointer.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";

/** Any JSON object, kept as it came: every key, also `__proto__`. */
export const jsonObjectSchema = z.custom<JsonObject>(
  (value) => isJsonObject(value as JsonValue),
  "expected a JSON object",
);

export const jsonPointerSchema = z
  .string()
  .refine(isJsonPointer, "expected a JSON pointer, like /order/quantity");
