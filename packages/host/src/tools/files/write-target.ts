import { hashText, InvalidInputError } from "@spfunctions/contracts";
import type { ToolContext } from "@spfunctions/kernel";
import { malformed } from "./refusals.ts";
import { readPath, requireWritable, type SandboxPath } from "./sandbox-path.ts";
import type { FileSandbox } from "./sandbox/file-sandbox.ts";
import type { SandboxState } from "./sandbox/opened.ts";

export type WriteInput = { readonly path: string; readonly text: string; readonly overwrite: boolean };
export type WriteContext = Pick<ToolContext, "signal" | "effectId">;
export type WriteOutput = { readonly path: string; readonly bytes: number; readonly sandbox: SandboxState };

/** What is written, the folder that it lies in, and its name there. */
type WriteTarget = {
  readonly path: SandboxPath;
  readonly folder: SandboxPath;
  readonly name: string;
};

export function readTarget(sandbox: FileSandbox, given: string): WriteTarget {
  const path = readPath(given, sandbox.root.path, sandbox.platform);
  const name = path.at(-1);
  if (name === undefined) throw malformed(given, "is_folder", "is the root, which is a folder");
  if (/(?:^|\/)\.{0,2}$/.test(given))
    throw malformed(given, "is_folder", "is the path of a folder; give the file a name");
  requireWritable(path);
  return { path, folder: path.slice(0, -1), name };
}

/**
 * What a write is called before it has its name. It is that of its effect, so that whoever is asked after a crash what became of it
 * knows what to look for, and removes it: no folder is searched for what others have left.
 */
export function temporaryName(effectId: string): string {
  return `.sf-write-${hashText(effectId).slice(7, 39)}.tmp`;
}

/** A text as a file has it, if it is one that can be read again. */
export function bytesOf(text: string, most: number): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > most)
    throw badText(`the text has ${bytes.length} bytes, and at most ${most} are written at once`, "too_large");
  if (bytes.includes(0)) throw badText("the text has a NUL, and would not be text as a file", "not_text");
  return bytes;
}

function badText(message: string, reason: string): InvalidInputError {
  return new InvalidInputError(message, { details: { path: "/text", reason } });
}
