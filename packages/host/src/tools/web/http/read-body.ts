import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import type { Answer } from "./send-get.ts";
import { connectionFault, upstreamFault } from "./web-faults.ts";

export type Body = { readonly bytes: Buffer; readonly truncated: boolean };

/** As much of a body as the limit allows, decompressed. Of what would be more, no more than one piece is ever made. */
export async function readBody(answer: Answer, host: string, limit: number): Promise<Body> {
  const encoding = encodingOf(answer, host);
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of decoded(answer.body, encoding)) {
      pieces.push(piece);
      length += piece.length;
      if (length > limit) break;
    }
  } catch (fault) {
    throw isZlibFault(fault)
      ? upstreamFault(`${host} sent a body that is not ${encoding}, as it says`, "bad_encoding", fault)
      : connectionFault(host, fault);
  }
  return { bytes: Buffer.concat(pieces, Math.min(length, limit)), truncated: length > limit };
}

type Encoding = "identity" | "gzip" | "deflate" | "br";

const encodings = new Map<string, Encoding>([
  ["", "identity"],
  ["identity", "identity"],
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["br", "br"],
]);

function encodingOf({ headers }: Answer, host: string): Encoding {
  const said = (headers["content-encoding"] ?? []).join(",").trim().toLowerCase();
  const encoding = encodings.get(said);
  if (encoding !== undefined) return encoding;
  const problem = said.includes(",") ? "in several ways at once" : "in a way that nobody asked for";
  throw upstreamFault(`${host} sent a body that is encoded ${problem}`, "unknown_encoding");
}

async function* decoded(body: Readable, encoding: Encoding): AsyncGenerator<Buffer> {
  const raw = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await raw.next();
  // Where there is no body, nothing is encoded.
  if (first.done === true) return;
  const source = Readable.from(joined(first.value, raw), { objectMode: false });
  const decoder = decoderOf(encoding, first.value);
  // A fault of either, and the end of whoever reads, takes both away.
  yield* (decoder === undefined ? source : pipeline(source, decoder, () => {})) as AsyncIterable<Buffer>;
}

async function* joined(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest.return?.();
  }
}

function decoderOf(encoding: Encoding, first: Buffer): Transform | undefined {
  if (encoding === "gzip") return createGunzip();
  if (encoding === "br") return createBrotliDecompress();
  if (encoding !== "deflate") return undefined;
  // Some servers send it bare, without the wrapping that the name stands for.
  return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

function isZlibFault(fault: unknown): boolean {
  const code = (fault as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^(?:Z_|ERR__?ERROR_|ERR_BROTLI|ERR_PADDING)/.test(code);
}
