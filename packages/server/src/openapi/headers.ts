import type { JsonObject } from "@spfunctions/contracts";
import { requestHeaders, responseHeaders } from "../door/known-headers.ts";

type HeaderName = keyof typeof responseHeaders;

export const rateLimitHeaders = ["RateLimitLimit", "RateLimitRemaining", "RateLimitReset"] as const;

export function headerComponents(): JsonObject {
  return Object.fromEntries(
    Object.entries(responseHeaders).map(([id, { description, schema }]) => [id, { description, schema }]),
  );
}

export function headerRefs(...names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(
    names.map((id) => [responseHeaders[id].name, { $ref: `#/components/headers/${id}` }]),
  );
}

export function parameterComponents(): JsonObject {
  return Object.fromEntries(
    Object.entries(requestHeaders).map(([id, header]) => [id, { ...header, in: "header", required: false }]),
  );
}

export function parameterRef(id: keyof typeof requestHeaders): JsonObject {
  return { $ref: `#/components/parameters/${id}` };
}
