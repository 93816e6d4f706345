// A body is taken within its limit, as UTF-8, or not at all.
import { InvalidInputError, type SimpleFunctionsError } from "@spfunctions/contracts";
import type { Inquiry } from "./inquiry.ts";

export type Body =
  | { readonly type: "body"; readonly text: string | undefined }
  | { readonly type: "refused"; readonly status: number; readonly error: SimpleFunctionsError };

const decoder = new TextDecoder("utf-8", { fatal: true });

export async function readBody({ request, header, address }: Inquiry, mostBytes: number): Promise<Body> {
  const length = header("content-length");
  if (length === "0" || (length === null && !hasStream(request, header, address)))
    return { type: "body", text: undefined };
  const contentType = header("content-type") ?? "";
  if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(contentType))
    return refused(415, "bad_content_type", "a body is JSON: send it with Content-Type: application/json");
  const coding = header("content-encoding") ?? "identity";
  if (coding.toLowerCase() !== "identity")
    return refused(415, "bad_content_encoding", "a body is sent as it is, without Content-Encoding");
  if (length !== null && Number(length) > mostBytes) return tooLarge(mostBytes);
  const bytes = length === null ? await readUpTo(request, mostBytes) : await received(request);
  if (bytes === "too large") return tooLarge(mostBytes);
  if (bytes === "broken") return refused(400, "broken_body", "the body broke off; send it whole");
  try {
    const text = decoder.decode(bytes);
    return { type: "body", text: text === "" ? undefined : text };
  } catch {
    return refused(400, "bad_encoding", "the body is not UTF-8");
  }
}

/** On a socket a body without a length comes in chunks; in process it is simply there. */
function hasStream(request: Request, header: Inquiry["header"], address: string | undefined): boolean {
  return address === undefined ? request.body !== null : header("transfer-encoding") !== null;
}

async function received(request: Request): Promise<Uint8Array | "broken"> {
  try {
    return new Uint8Array(await request.arrayBuffer());
  } catch {
    return "broken";
  }
}

async function readUpTo(request: Request, mostBytes: number): Promise<Uint8Array | "too large" | "broken"> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > mostBytes) return "too large";
      chunks.push(chunk);
    }
  } catch {
    return "broken";
  }
  return Buffer.concat(chunks);
}

function tooLarge(mostBytes: number): Body {
  return refused(
    413,
    "too_large",
    `the body is larger than ${mostBytes} bytes, the limit requestBodyBytes of this platform; send less`,
  );
}

function refused(status: number, reason: string, message: string): Body {
  return { type: "refused", status, error: new InvalidInputError(message, { details: { reason } }) };
}
