import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { CancelledError, InvalidInputError, NotFoundError } from "@spfunctions/contracts";
import { asBadUsage } from "../command-line/bad-usage.ts";
import type { CliIo } from "./cli-io.ts";

/** The text of a file, or for `-` of the standard input; never more than `maxBytes` of it. What cannot be read is bad usage. */
export async function readSource(
  name: string,
  { stdin, cwd, signal }: Pick<CliIo, "stdin" | "cwd" | "signal">,
  maxBytes: number,
): Promise<string> {
  const where = name === "-" ? "the standard input" : name;
  const source: AsyncIterable<Uint8Array> = name === "-" ? stdin : createReadStream(resolve(cwd, name));
  const bytes = await gather(source, where, signal, maxBytes);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new InvalidInputError(`${where} is not UTF-8 text`, { details: { reason: "not_utf8" } });
  }
}

async function gather(
  source: AsyncIterable<Uint8Array>,
  where: string,
  signal: AbortSignal,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of untilAborted(source, where, signal)) {
    size += chunk.length;
    if (size > maxBytes) {
      throw asBadUsage(
        new InvalidInputError(`${where} is larger than ${maxBytes} bytes; give less`, {
          details: { reason: "too_large", maxBytes },
        }),
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Whoever waits at a terminal can still say that they want no more. */
async function* untilAborted(
  source: AsyncIterable<Uint8Array>,
  where: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = source[Symbol.asyncIterator]();
  const aborted = Promise.withResolvers<never>();
  // Nobody may be waiting for it when it comes.
  aborted.promise.catch(() => undefined);
  const abort = () =>
    aborted.reject(new CancelledError(`cancelled while reading ${where}; nothing was called`));
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- piece by piece
      const next = await Promise.race([reader.next(), aborted.promise]);
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    throw readFault(error, where);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function readFault(error: unknown, where: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== "string" || error instanceof CancelledError) return error;
  if (code === "ENOENT")
    return asBadUsage(new NotFoundError(`there is no file ${where}`, { details: { reason: "no_file" } }));
  const why = code === "EISDIR" ? "it is a folder" : code;
  return asBadUsage(
    new InvalidInputError(`${where} cannot be read: ${why}`, { details: { reason: "unreadable" } }),
  );
}
