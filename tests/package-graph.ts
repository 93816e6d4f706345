import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseSync } from "oxc-parser";

export const root = resolve(import.meta.dirname, "..");

/** One import, export-from or dynamic import, of values or of types. */
export type Edge = { readonly from: string; readonly to: string };

export function packageNames(): string[] {
  return readdirSync(join(root, "packages"));
}

export function sourcesOf(name: string): string[] {
  const folder = join(root, "packages", name, "src");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file));
}

/** Every module that a file names, types included. */
export function edgesOf(file: string): Edge[] {
  const text = readFileSync(file, "utf8");
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const named = [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.staticExports.flatMap((entry) => entry.entries.map((one) => one.moduleRequest?.value)),
    // What is computed names no module; only a text does.
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) =>
      /["'`]/.test(text[start] ?? "") ? [text.slice(start + 1, end - 1)] : [],
    ),
  ];
  return [...new Set(named)].flatMap((to) => (to === undefined ? [] : [{ from: file, to }]));
}

export function resolveRelative({ from, to }: Edge): string | undefined {
  return to.startsWith(".") ? resolve(dirname(from), to) : undefined;
}

export function shortPath(file: string): string {
  return relative(root, file);
}
