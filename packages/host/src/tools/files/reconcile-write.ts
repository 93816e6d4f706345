import { isSimpleFunctionsError } from "@spfunctions/contracts";
import type { Reconciled } from "@spfunctions/kernel";
import { inWords } from "./file-fault.ts";
import { beginningOf } from "./read-text.ts";
import { pathText } from "./sandbox-path.ts";
import type { FileSandbox } from "./sandbox/file-sandbox.ts";
import { childOf, removeFile } from "./sandbox/in-folder.ts";
import type { Opened } from "./sandbox/opened.ts";
import { walk } from "./sandbox/walk.ts";
import {
  bytesOf,
  readTarget,
  temporaryName,
  type WriteContext,
  type WriteInput,
  type WriteOutput,
} from "./write-target.ts";

/**
 * What became of a write whose end nobody saw: completed where the text is there. What it had begun to write is removed first, and
 * from then on it cannot take its name any more. So of one that would have replaced something and had not come to that it is certain
 * that it has not happened; of others that is only where nothing has the name. Whatever it throws leaves it unknown.
 */
export async function reconcileWrite(
  sandbox: FileSandbox,
  { path: given, text, overwrite }: WriteInput,
  { signal, effectId }: WriteContext,
): Promise<Reconciled> {
  const bytes = bytesOf(text, sandbox.limits.writeBytes);
  const { path, folder, name } = readTarget(sandbox, given);
  try {
    return await inWords(given, () =>
      walk(sandbox, { path: folder, signal }, async (held, state) => {
        const wasBegun = await removeFile(held, temporaryName(effectId));
        const found = await compare(held, name, bytes, signal);
        if (found === "same") {
          const output: WriteOutput = { path: pathText(path), bytes: bytes.length, sandbox: state };
          return { status: "completed", output };
        }
        const hasNotHappened = overwrite ? wasBegun : found === "missing";
        return { status: hasNotHappened ? "failed" : "unknown" };
      }),
    );
  } catch (error) {
    // Not even its folder is there.
    if (isSimpleFunctionsError(error) && error.code === "not_found")
      return { status: overwrite ? "unknown" : "failed" };
    throw error;
  }
}

async function compare(
  folder: Opened,
  name: string,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<"same" | "other" | "missing"> {
  const file = await childOf(folder, name);
  if (file === undefined) return "missing";
  try {
    if (!file.stat.isFile()) return "other";
    const found = await beginningOf(file, bytes.length + 1, signal);
    return found.equals(bytes) ? "same" : "other";
  } finally {
    file.close();
  }
}
