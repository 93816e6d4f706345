import type { FileHandle } from "node:fs/promises";
import { inWords } from "./file-fault.ts";
import { onceMade } from "./once-made.ts";
import { requireFile, requireOneName } from "./require-file.ts";
import { pathText, readPath } from "./sandbox-path.ts";
import type { FileSandbox } from "./sandbox/file-sandbox.ts";
import type { Opened, SandboxState } from "./sandbox/opened.ts";
import { walk } from "./sandbox/walk.ts";
import { textOf } from "./text-of.ts";

export type ReadInput = { readonly path: string; readonly max_bytes: number };

export type ReadOutput = {
  readonly path: string;
  readonly text: string;
  readonly bytes: number;
  readonly lossy: boolean;
  readonly truncated: boolean;
  /** Of the whole file, where the text was cut and the file system knows. */
  readonly totalBytes?: number;
  readonly sandbox: SandboxState;
};

const manyNames = 'copy it, or let an operator open such files with hardLinks: "read"';

export async function readText(
  sandbox: FileSandbox,
  { path: given, max_bytes: most }: ReadInput,
  signal: AbortSignal,
): Promise<ReadOutput> {
  const path = readPath(given, sandbox.root.path, sandbox.platform);
  const once = () =>
    walk(sandbox, { path, signal }, async (file, state) => {
      requireFile(file, given);
      if (sandbox.hardLinks === "refuse") requireOneName(file, given, manyNames);
      // One byte more than is wanted tells whether there is more.
      const bytes = await beginningOf(file, most + 1, signal);
      const cut = textOf(bytes, most, given);
      const truncated = bytes.length > most;
      const { size } = file.stat;
      const knowsSize = truncated && size > BigInt(most);
      return {
        path: pathText(path),
        ...cut,
        truncated,
        ...(knowsSize && { totalBytes: Number(size) }),
        sandbox: state,
      };
    });
  return await inWords(given, () => onceMade(once));
}

/** At most so many bytes, whatever the file says of its size or grows to. */
export async function beginningOf(file: Opened, most: number, signal: AbortSignal): Promise<Buffer> {
  const handle = await file.open();
  try {
    return await fill(handle, Buffer.allocUnsafe(most), signal, file.stat.size);
  } finally {
    await handle.close();
  }
}

async function fill(handle: FileHandle, into: Buffer, signal: AbortSignal, size: bigint): Promise<Buffer> {
  let filled = 0;
  while (filled < into.length) {
    signal.throwIfAborted();
    const wanted = into.length - filled;
    // oxlint-disable-next-line no-await-in-loop
    const { bytesRead } = await handle.read(into, filled, wanted, filled);
    filled += bytesRead;
    // Less than was wanted, at the end that it had: that is its end. Some files have a size of 0 and say more.
    const isAtEnd = bytesRead < wanted && size > 0n && BigInt(filled) >= size;
    if (bytesRead === 0 || isAtEnd) break;
  }
  return into.subarray(0, filled);
}
