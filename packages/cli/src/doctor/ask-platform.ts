import {
  isJsonObject,
  isSimpleFunctionsError,
  type JsonObject,
  type JsonValue,
  parseJsonStrict,
  UpstreamError,
} from "@spfunctions/contracts";
import { isPublicKey } from "@spfunctions/host/installation";

/** What a platform says of itself to anybody. */
export type Answered = {
  readonly version: string;
  /** How far its clock is ahead of this machine's, where it says what time it is. */
  readonly differenceMs: number | undefined;
  readonly keyId: string;
  readonly publicKey: string;
};

const longestMs = 10_000;
const mostBytes = 8 * 1024 * 1024;

/** Asks without a key. */
export async function askPlatform(baseUrl: string, cancelled: AbortSignal): Promise<Answered> {
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(longestMs)]);
  const ask = async (path: string) => await asked(baseUrl, path, signal);
  const { differenceMs } = await ask("/api/health");
  const { keyId, publicKey } = objectIn((await ask("/api/contracts/signing-key")).value);
  const { version } = objectIn(objectIn((await ask("/api/openapi.json")).value).info);
  if (typeof keyId !== "string" || !isPublicKey(publicKey) || typeof version !== "string")
    throw noPlatform(baseUrl);
  return { version, differenceMs, keyId, publicKey };
}

async function asked(
  baseUrl: string,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly value: JsonValue; readonly differenceMs: number | undefined }> {
  const begun = Date.now();
  try {
    const response = await fetch(`${baseUrl}${path}`, { signal, redirect: "manual" });
    const said = Date.parse(response.headers.get("date") ?? "");
    const differenceMs = Number.isNaN(said) ? undefined : Math.round(said - (begun + Date.now()) / 2);
    if (response.status !== 200) throw noPlatform(baseUrl, `status ${response.status}`);
    return { value: jsonIn(await textOf(response, baseUrl), baseUrl), differenceMs };
  } catch (error) {
    if (isSimpleFunctionsError(error)) throw error;
    const message = `there is no answer from ${baseUrl}; is it running, and is that its address?`;
    throw new UpstreamError(message, { cause: error });
  }
}

function jsonIn(text: string, baseUrl: string): JsonValue {
  try {
    return parseJsonStrict(text);
  } catch {
    throw noPlatform(baseUrl, "something that is no JSON");
  }
}

async function textOf(response: Response, baseUrl: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > mostBytes) throw noPlatform(baseUrl, "more than anybody asked for");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function noPlatform(baseUrl: string, why = "something else"): UpstreamError {
  return new UpstreamError(
    `what is at ${baseUrl} answers with ${why}; check that it is the platform's own address`,
  );
}
