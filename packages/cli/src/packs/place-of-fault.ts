// Where in a module something was wrong, as far as Node says it: in the head of a syntax error, or in the frames of a stack.
import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** `file:line:column`, with the file as seen from `cwd`; nothing that `importer` has done itself is a place. */
export function placeOfFault(stack: string, importer: string, cwd: string): string | undefined {
  const lines = stack.split("\n");
  return placeInHead(lines, cwd) ?? placeInFrames(lines, importer, cwd);
}

/** The file and the line, then what stands there, and below it a mark. */
function placeInHead(lines: readonly string[], cwd: string): string | undefined {
  const [, file, line] = /^((?:file:\/\/)?\/.*):(\d+)$/.exec(lines[0] ?? "") ?? [];
  if (file === undefined) return undefined;
  const mark = lines.find((one) => /^\s*\^+\s*$/.test(one))?.indexOf("^");
  return `${seenFrom(cwd, file)}:${line}${mark === undefined ? "" : `:${mark + 1}`}`;
}

function placeInFrames(lines: readonly string[], importer: string, cwd: string): string | undefined {
  for (const line of lines) {
    const [, file, at] = /^\s+at .*?((?:file:\/\/)?\/[^()]*?):(\d+:\d+)\)?$/.exec(line) ?? [];
    if (file === undefined) continue;
    return pathOf(file) === pathOf(importer) ? undefined : `${seenFrom(cwd, file)}:${at}`;
  }
  return undefined;
}

function pathOf(file: string): string {
  return file.startsWith("file://") ? fileURLToPath(file) : file;
}

function seenFrom(cwd: string, file: string): string {
  const path = pathOf(file);
  const below = relative(cwd, path);
  return below.startsWith("..") || isAbsolute(below) ? path : below;
}
