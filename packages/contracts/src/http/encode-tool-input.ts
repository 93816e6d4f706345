import { InvalidInputError } from "../error/error-classes.ts";
import { canonicalJson, readCanonicalJson } from "../json/canonical-json.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { pathForMessage } from "../json/path-for-message.ts";
import { type ToolRoute, travelsInQuery } from "./tool-route.ts";

/** A request's path with its query, and its JSON body where the route has one. */
export type EncodedToolInput = { readonly path: string; readonly body?: string };

/**
 * A tool's input as a request carries it. In path and query a string travels as it is, anything else as JSON text.
 * `invalid_input` for what is no plain JSON object, and for a path parameter that no URL can carry.
 */
export function encodeToolInput(route: ToolRoute, input: unknown): EncodedToolInput {
  const text = canonicalJson(input);
  if (!text.startsWith("{")) {
    throw new InvalidInputError("a tool's input is an object", {
      details: { path: "", reason: "not_an_object" },
    });
  }
  if (route.params.length === 0 && !travelsInQuery(route)) return { path: route.path, body: text };
  const members = readCanonicalJson(text) as JsonObject;
  const path = pathWith(route, members);
  const rest = Object.entries(members).filter(([name]) => !route.params.includes(name));
  if (!travelsInQuery(route)) return { path, body: canonicalJson(Object.fromEntries(rest)) };
  const query = rest.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`,
  );
  return { path: query.length === 0 ? path : `${path}?${query.join("&")}` };
}

function pathWith({ path, params }: ToolRoute, members: JsonObject): string {
  if (params.length === 0) return path;
  return path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => encodeURIComponent(segmentOf(name, members)));
}

function segmentOf(name: string, members: JsonObject): string {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  if (value === undefined) return refuse(name, "missing", "is missing, and is part of the path");
  if (typeof value === "object") {
    return refuse(name, "not_a_segment", "must be a string, a number or a boolean: it is part of the path");
  }
  const text = textOf(value);
  if (text === "") return refuse(name, "empty_segment", "is empty, and is part of the path");
  // A URL resolves these two as steps in the path, however they are escaped.
  if (text === "." || text === "..") return refuse(name, "dot_segment", "cannot be part of a path");
  return text;
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : canonicalJson(value);
}

function refuse(name: string, reason: string, what: string): never {
  const path = pathForMessage([name]);
  throw new InvalidInputError(`invalid input: ${path} ${what}`, { details: { path, reason } });
}
