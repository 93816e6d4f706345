// B30: only the pages of a configured origin may read an answer. Never every origin, and never with cookies: whoever
// calls from a page brings a token of its own.
import type { OriginAnswer } from "./check-origin.ts";
import { requestHeaders, responseHeaders } from "./known-headers.ts";

const allowedMethods = "GET, POST, PUT, PATCH, DELETE";
const allowedHeaders = list(["Authorization", "Content-Type"], Object.values(requestHeaders));
const exposedHeaders = list([], Object.values(responseHeaders));
const preflightSeconds = 600;

/** What an answer tells the browser of its caller. */
export function corsHeaders(answer: OriginAnswer): Record<string, string> {
  // Said to everybody, so that no cache gives one origin's answer to another.
  if (answer.type !== "allowed") return { Vary: "Origin" };
  return {
    Vary: "Origin",
    "Access-Control-Allow-Origin": answer.origin,
    "Access-Control-Expose-Headers": exposedHeaders,
  };
}

/** What the answer to a browser's question before the request (OPTIONS) says. */
export function preflightHeaders(answer: OriginAnswer): Record<string, string> {
  if (answer.type !== "allowed") return { Vary: "Origin" };
  return {
    Vary: "Origin",
    "Access-Control-Allow-Origin": answer.origin,
    "Access-Control-Allow-Methods": allowedMethods,
    "Access-Control-Allow-Headers": allowedHeaders,
    "Access-Control-Max-Age": String(preflightSeconds),
  };
}

function list(names: readonly string[], headers: readonly { readonly name: string }[]): string {
  return [...names, ...headers.map(({ name }) => name)].toSorted().join(", ");
}
