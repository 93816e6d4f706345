import type { ContentType } from "./content-type.ts";
import { charsetOfMark } from "./decode-text.ts";

export const pageKinds = ["text", "html", "json", "binary"] as const;
export type PageKind = (typeof pageKinds)[number];

const html = new Set(["text/html", "application/xhtml+xml"]);
const json = /^(?:application|text)\/json$|\+json$/;
const text =
  /^text\/|\+(?:xml|yaml)$|^application\/(?:xml|(?:x-)?(?:javascript|ecmascript|yaml|ndjson|sh|toml|sql|tex|www-form-urlencoded)|jsonl|graphql)$/;
const binary =
  /^(?:image|audio|video|font|model)\/|^application\/(?:pdf|zip|gzip|wasm|x-tar|x-7z-compressed|vnd\.)/;

/** What a text has none of in its first bytes: control characters but tab, line and page ends, and escape. */
const sniffed = 4096;
const control = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;
const opensHtml = /^\s*(?:<!doctype html|<html|<head|<body)\b/i;

/** By what the server says, and by what the bytes look like: whoever calls a program a text is not believed. */
export function pageKind({ essence, charset }: ContentType, bytes: Buffer): PageKind {
  const said = essence === undefined ? undefined : kindOfType(essence);
  if (said === "binary") return said;
  const isWide = /^utf-(?:16|32)/.test(charset ?? "") || charsetOfMark(bytes)?.startsWith("utf-16") === true;
  const start = bytes.subarray(0, sniffed).toString("latin1");
  if (!isWide && control.test(start)) return "binary";
  return said ?? (opensHtml.test(start) ? "html" : "text");
}

/** Nothing where the type says too little. */
function kindOfType(essence: string): PageKind | undefined {
  if (html.has(essence)) return "html";
  if (json.test(essence)) return "json";
  if (text.test(essence)) return "text";
  return binary.test(essence) ? "binary" : undefined;
}
