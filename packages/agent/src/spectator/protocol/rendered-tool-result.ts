import { cutText, isJsonObject, type JsonObject, type JsonValue } from "@spfunctions/contracts";
import { breakMarkers } from "./markers.ts";

export type ToolResult = {
  readonly id: string;
  readonly tool: string;
  readonly ok: boolean;
  readonly output: JsonValue;
  readonly error: { readonly code: string; readonly message: string } | null;
};

/** Most of a name or of an error's message that is kept in a result that must be cut. */
const mostOfWords = 1024;

/**
 * A tool's result as a model sees it: the source's JSON, with no marker in any string or key. One that is too large says `truncated`, with
 * the beginning of its output as `text` and the size that the output has as JSON; names, and an error's message, are cut as well.
 */
export function toolResultText(result: ToolResult, mostBytes: number): string {
  const { id, tool, ok, output, error } = result;
  const whole = {
    id: harmless(id),
    tool: harmless(tool),
    ok,
    output: harmlessValue(output),
    error: error && { code: harmless(error.code), message: harmless(error.message) },
  };
  const text = JSON.stringify(whole);
  if (!isLarger(text, mostBytes)) return text;
  const short = {
    ...whole,
    id: cutText(whole.id, mostOfWords),
    tool: cutText(whole.tool, mostOfWords),
    error: whole.error && {
      code: cutText(whole.error.code, mostOfWords),
      message: cutText(whole.error.message, mostOfWords),
    },
  };
  return cutOutput(short, mostBytes);
}

/** The frame is written in any case: a limit that is too small for it leaves no output at all. */
function cutOutput(result: { readonly output: JsonValue }, maxBytes: number): string {
  const { output } = result;
  const kept = JSON.stringify(result);
  if (!isLarger(kept, maxBytes)) return kept;
  const said = typeof output === "string" ? output : JSON.stringify(output);
  const bytes = bytesOf(JSON.stringify(output));
  const frame = JSON.stringify({ ...result, output: { truncated: true, text: "", bytes } });
  const text = startWithin(said, maxBytes - bytesOf(frame));
  return JSON.stringify({ ...result, output: { truncated: true, text, bytes } });
}

/** As much of a text as takes so many bytes within a JSON string. */
function startWithin(text: string, maxBytes: number): string {
  let left = maxBytes;
  let end = 0;
  for (const character of text) {
    left -= bytesOf(JSON.stringify(character)) - 2;
    if (left < 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function harmlessValue(value: JsonValue): JsonValue {
  if (typeof value === "string") return harmless(value);
  if (Array.isArray(value)) return value.map(harmlessValue);
  return isJsonObject(value) ? harmlessObject(value) : value;
}

/** A key that had to change gives way to those that did not. */
function harmlessObject(object: JsonObject): JsonObject {
  const taken = new Set(Object.keys(object));
  const counts = new Map<string, number>();
  const nameFor = (key: string) => {
    const safe = harmless(key);
    if (safe === key) return key;
    let name = safe;
    let count = counts.get(safe) ?? 1;
    while (taken.has(name)) name = `${safe} (${++count})`;
    counts.set(safe, count);
    taken.add(name);
    return name;
  };
  return Object.fromEntries(
    Object.entries(object).map(([key, member]) => [nameFor(key), harmlessValue(member)]),
  );
}

function harmless(text: string): string {
  return breakMarkers(text.toWellFormed());
}

function isLarger(text: string, maxBytes: number): boolean {
  return text.length > maxBytes || bytesOf(text) > maxBytes;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
