// B28: what a path means is decided name by name, never by how its text begins, and before the file system is asked anything.
import { denied, malformed } from "./refusals.ts";

/**
 * A path below the root.
 * @limit fs.pathBytes | `invalid_input`, reason `path_too_long` | fixed: what Linux takes
 */
const longestPath = 4096;
/**
 * One name in a path.
 * @limit fs.nameBytes | `invalid_input`, reason `name_too_long` | fixed: what Linux takes
 */
const longestName = 255;

/** A path below the root: its names from the top, none of them `.`, `..` or empty. No names are the root itself. */
export type SandboxPath = readonly string[];

/**
 * Reads a path as it was given. It is split at `/` and nothing else is done to it: no decoding, no normalising, no expanding. `..` is
 * taken as written, so what lies behind a link never counts; an absolute path must lie in the root as it is written.
 */
export function readPath(given: string, root: string, platform = process.platform): SandboxPath {
  requireReadable(given);
  const names = resolved(given);
  const inner = given.startsWith("/") ? below(resolved(root), names, given) : names;
  for (const name of inner) requireName(name, given, platform);
  return inner;
}

/** The shortest way to write it. */
export function pathText(path: SandboxPath): string {
  return path.length === 0 ? "." : path.join("/");
}

/** A name that is made must also be one that a person can read and type. */
export function requireWritable(names: SandboxPath): void {
  const odd = names.find((name) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name));
  if (odd !== undefined)
    throw malformed(odd, "control_character", "has a control character, and no such name is written");
}

function requireReadable(given: string): void {
  if (given.includes("\0")) throw malformed(given, "bad_path", "has a NUL, which no path can have");
  if (!given.isWellFormed()) throw malformed(given, "bad_path", "has half a character (a lone surrogate)");
  if (Buffer.byteLength(given) > longestPath)
    throw malformed(given, "path_too_long", `is longer than ${longestPath} bytes`);
}

function resolved(path: string): string[] {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) throw escape(path);
  }
  return names;
}

function below(root: readonly string[], names: readonly string[], given: string): string[] {
  if (root.some((name, index) => names[index] !== name)) throw escape(given);
  return names.slice(root.length);
}

function requireName(name: string, given: string, platform: NodeJS.Platform): void {
  if (Buffer.byteLength(name) > longestName)
    throw malformed(given, "name_too_long", `has a name that is longer than ${longestName} bytes`);
  if (platform === "win32" && meansMoreOnWindows(name))
    throw malformed(given, "bad_path", "has a name that means something else on Windows");
}

/** Separators, drives, streams, devices, and ends that Windows cuts off. */
function meansMoreOnWindows(name: string): boolean {
  return (
    /[<>:"\\|?*\p{Cc}]|[. ]$/u.test(name) ||
    /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/i.test(name)
  );
}

function escape(given: string): Error {
  return denied(given, "escape", "leads out of the root; give a path below it, like notes/today.md");
}
