// Where in a module something was wrong, as far as Node says it: in the head of a syntax error, or in the frames of a stack.
import { dirname, isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";

export type Imported = { readonly module: string; readonly importer: string; readonly cwd: string };

/** `file:line:column`, with the file as seen from `cwd`; nothing that `importer` has done itself is a place. */
export function placeOfFault(stack: string, imported: Imported): string | undefined {
  const lines = stack.split("\n");
  return placeInHead(lines, imported.cwd) ?? placeInFrames(lines, imported);
}

/** The file and the line, then what stands there, and below it a mark. */
function placeInHead(lines: readonly string[], cwd: string): string | undefined {
  const [, file, line] = /^((?:file:\/\/)?\/.*):(\d+)$/.exec(lines[0] ?? "") ?? [];
  if (file === undefined) return undefined;
  const mark = lines.find((one) => /^\s*\^+\s*$/.test(one))?.indexOf("^");
  return `${seenFrom(cwd, file)}:${line}${mark === undefined ? "" : `:${mark + 1}`}`;
}

/** Whoever wrote the module looks beside it first, and only then in what it has called. */
function placeInFrames(lines: readonly string[], { module, importer, cwd }: Imported): string | undefined {
  const frames: { readonly path: string; readonly at: string }[] = [];
  for (const line of lines) {
    const [, file, at] = /^\s+at (?:.*?[ (])?((?:file:\/\/)?\/[^()]*?):(\d+:\d+)\)?$/.exec(line) ?? [];
    if (file === undefined || at === undefined) continue;
    const path = pathOf(file);
    if (path === pathOf(importer)) break;
    frames.push({ path, at });
  }
  const folder = `${dirname(pathOf(module))}/`;
  const isBeside = (path: string) =>
    path.startsWith(folder) && !path.slice(folder.length).includes("node_modules/");
  const place = frames.find(({ path }) => isBeside(path)) ?? frames[0];
  return place === undefined ? undefined : `${seenFrom(cwd, place.path)}:${place.at}`;
}

function pathOf(file: string): string {
  return file.startsWith("file://") ? fileURLToPath(file) : file;
}

function seenFrom(cwd: string, file: string): string {
  const path = pathOf(file);
  const below = relative(cwd, path);
  return below.startsWith("..") || isAbsolute(below) ? path : below;
}
