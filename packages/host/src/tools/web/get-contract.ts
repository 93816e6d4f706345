import type { JsonObject } from "@spfunctions/contracts";
import { type PageKind, pageKinds } from "./page/page-kind.ts";
import type { Page } from "./page.ts";

export const getInput = {
  type: "object",
  properties: {
    url: {
      type: "string",
      minLength: 1,
      maxLength: 8192,
      description: "Absolute address, http or https, of a host with a name",
    },
    use_cache: {
      type: "boolean",
      default: true,
      description: "Whether an answer that was kept may be given",
    },
  },
  required: ["url"],
  additionalProperties: false,
} as const satisfies JsonObject;

const text = { type: "string" } as const;
const time = { type: "string", format: "date-time" } as const;

export const getOutput = {
  type: "object",
  properties: {
    url: { ...text, description: "What answered: after redirects it is another one than was asked for" },
    status: { type: "integer" },
    contentType: text,
    kind: { enum: [...pageKinds] },
    charset: { ...text, description: "How the bytes were read" },
    title: text,
    text,
    bytes: { type: "integer", description: "Bytes that were read, decompressed" },
    truncated: { type: "boolean", description: "Whether there is more than is shown" },
    redirects: { type: "array", items: text, description: "The addresses before, in order" },
    cache: {
      type: "object",
      properties: { hit: { type: "boolean" }, fetchedAt: time, expiresAt: time },
      required: ["hit", "fetchedAt"],
      additionalProperties: false,
    },
  },
  required: ["url", "status", "kind", "bytes", "truncated", "redirects", "cache"],
  additionalProperties: false,
} as const satisfies JsonObject;

export type GetOutput = {
  readonly url: string;
  readonly status: number;
  readonly contentType?: string;
  readonly kind: PageKind;
  readonly charset?: string;
  readonly title?: string;
  readonly text?: string;
  readonly bytes: number;
  readonly truncated: boolean;
  readonly redirects: readonly string[];
  readonly cache: { readonly hit: boolean; readonly fetchedAt: string; readonly expiresAt?: string };
};

export function viewOf(
  { hops, fetchedAt, ...page }: Page,
  { hit, expiresAt }: { readonly hit: boolean; readonly expiresAt: number | undefined },
): GetOutput {
  const urls = hops.map((hop) => hop.url);
  return {
    url: urls.at(-1) ?? "",
    ...page,
    redirects: urls.slice(0, -1),
    cache: {
      hit,
      fetchedAt: isoTime(fetchedAt),
      ...(expiresAt !== undefined && { expiresAt: isoTime(expiresAt) }),
    },
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
