import {
  type ContractTool,
  contractToolSchema,
  InvalidManifestError,
  isSimpleFunctionsError,
  type JsonValue,
  parseAtDoor,
  parseManifest,
  requireNoSecret,
  toolDigest,
} from "@spfunctions/contracts";
import type { Answer } from "../call/answering.ts";
import { readEnvelope, readJson } from "../call/read-envelope.ts";
import type { Exchange, Outcome } from "../wire/outcome.ts";

/** Tools whose answer is a document that is cached by its digest: it comes bare, without an envelope, and needs no key. */
const readers: ReadonlyMap<string, (value: JsonValue) => unknown> = new Map<
  string,
  (value: JsonValue) => unknown
>([
  ["manifest.list", parseManifest],
  ["manifest.get", parseTool],
]);

export function isDocument(tool: string): boolean {
  return readers.has(tool);
}

/** A document is checked like everything else from outside; an error about one comes in an envelope. */
export function readDocument(tool: string, exchange: Exchange): Outcome<Answer<unknown>> {
  const { status, headers } = exchange;
  if (status !== 200) return readEnvelope(tool, exchange, undefined);
  const json = readJson(tool, exchange);
  if (json.type === "failed") return json;
  try {
    const data = readers.get(tool)?.(json.value);
    const requestId = headers.get("x-request-id") ?? "";
    return { type: "answered", value: { data, requestId, replayed: false, redacted: [] } };
  } catch (error) {
    if (isSimpleFunctionsError(error)) return { type: "failed", error, mayHelp: false };
    throw error;
  }
}

function parseTool(value: JsonValue): ContractTool {
  const tool = parseAtDoor(contractToolSchema, value, "tool contract", InvalidManifestError);
  const { digest, ...definition } = tool;
  if (digest === toolDigest(definition)) {
    requireNoSecret([tool]);
    return tool;
  }
  throw new InvalidManifestError(`invalid tool contract: the digest of ${tool.name} does not match it`, {
    details: { path: "/digest", tool: tool.name, reason: "digest_mismatch" },
  });
}
