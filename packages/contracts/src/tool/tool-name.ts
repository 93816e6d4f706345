import { z } from "zod";
import { keyForMessage } from "../json/path-for-message.ts";

const segment = "[a-z][a-z0-9_]*";
const canonical = new RegExp(`^${segment}(?:\\.${segment})+$`);
const pattern = new RegExp(`^${segment}(?:\\.${segment})*\\.\\*$`);

/** Segments that would be mistaken for a language's own when a tool is reached as `tools.<ns>.<fn>`. */
const unusableSegments = new Set(["constructor", "prototype", "then"]);

/** Names that older surfaces used; they are never canonical, also not with a dot. */
const retiredNames = new Set(["get_world_state", "get_regime_history"]);

/**
 * A tool's canonical name.
 * @limit tool.nameChars | `invalid_manifest` | fixed: providers of models take no longer one
 */
const maxNameChars = 64;

export const toolNameSchema = z
  .string()
  .max(maxNameChars)
  .refine((name) => !retiredNames.has(name), { error: "a retired name is never canonical", abort: true })
  .regex(canonical, {
    error: ({ input }) =>
      `expected a canonical tool name: lower-case words joined by dots, like world.read${hintFor(input)}`,
  })
  .refine((name) => !name.split(".").some((part) => unusableSegments.has(part)), {
    error: `a tool name cannot have the segment ${[...unusableSegments].join(", ")}`,
  });

/** A tool, or with `ns.*` every tool under that namespace. */
export const toolPatternSchema = z
  .string()
  .max(maxNameChars + ".*".length)
  .refine((text) => canonical.test(text) || pattern.test(text), {
    error: ({ input }) =>
      `expected a canonical tool name or a namespace pattern, like world.read or world.*${hintFor(input)}`,
  });

function hintFor(name: unknown): string {
  const near = typeof name === "string" ? canonicalNameFor(name) : undefined;
  return near === undefined ? "" : `; ${keyForMessage(near)} would be accepted`;
}

/** The canonical name nearest to one in another style: `pay.invoice` for `payInvoice`. Undefined if no tool can be called so. */
function canonicalNameFor(name: string): string | undefined {
  if (name.length > maxNameChars) return undefined;
  const parts = name
    .split(/[./:]+|__+/)
    .map(wordsIn)
    .filter((words) => words.length > 0);
  const [first = [], ...others] = parts;
  const [namespace, ...rest] = first;
  const segments = others.length > 0 || namespace === undefined ? parts : [[namespace], rest];
  const canonicalName = segments.map((words) => words.join("_")).join(".");
  const isUsable = toolNameSchema.safeParse(canonicalName).success && !isReservedName(canonicalName);
  return isUsable ? canonicalName : undefined;
}

/** `get`, `http`, `response` for `getHTTPResponse`, `get-http-response` or `GET_HTTP_RESPONSE`. */
function wordsIn(text: string): string[] {
  const spaced = text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2");
  return spaced
    .split(/[\s_-]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

export const compatNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, "expected a compatName: lower-case letters, digits and _, without dots");

/** The name for hosts that refuse dots. It is an alias of one offered tool in one request, never a way to resolve one. */
export function compatNameOf(name: string): string {
  return name.replaceAll(".", "_");
}

export function matchesToolPattern(name: string, toolPattern: string): boolean {
  return toolPattern.endsWith(".*") ? name.startsWith(toolPattern.slice(0, -1)) : name === toolPattern;
}

const reserved = [
  "events.*",
  "market.related",
  "auth.status",
  "investigations.create",
  "intents.propose",
  "webhooks.create",
];

/** Names that may be listed for review and are never active or callable. */
export function isReservedName(name: string): boolean {
  return reserved.some((entry) => matchesToolPattern(name, entry));
}
