import type { JsonObject } from "@spfunctions/contracts";

export function withoutKeywords(schema: JsonObject, keywords: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}
