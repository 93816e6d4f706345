import { InvalidPackageError, isSimpleFunctionsError } from "@spfunctions/contracts";
import type { Tool } from "@spfunctions/kernel";

type Module = Readonly<Record<string, unknown>>;

/** Where a module may have its pack. The first of these that is one is taken. */
export const places = ["default", "pack", "packs", "tools"] as const;

/** Whether a module has anything where tools are looked for. */
export function hasTools(module: Module): boolean {
  return places.some((place) => Object.hasOwn(module, place));
}

/** The tools that a module offers: a tool, a list of tools, or a list of those. */
export function toolsInModule(module: Module, name: string): Tool[] {
  try {
    for (const place of places) {
      const tools = Object.hasOwn(module, place) ? toolsIn(module[place]) : undefined;
      if (tools !== undefined && tools.length > 0) return tools;
    }
    throw nothingFound(name, describe(module));
  } catch (error) {
    if (isSimpleFunctionsError(error)) throw error;
    // A getter or a proxy of theirs.
    throw nothingFound(name, "something that throws when it is looked at");
  }
}

function toolsIn(value: unknown, depth = 0): Tool[] | undefined {
  if (isTool(value)) return [value];
  if (!Array.isArray(value) || depth > 1) return undefined;
  const inner = value.map((item) => toolsIn(item, depth + 1));
  return inner.every((tools) => tools !== undefined) ? inner.flat() : undefined;
}

/** By its looks: whether it is one, the kernel knows. */
function isTool(value: unknown): value is Tool {
  if (typeof value !== "object" || value === null) return false;
  const { contract } = value as { contract?: { name?: unknown; digest?: unknown } | null };
  return typeof contract?.name === "string" && typeof contract.digest === "string";
}

function nothingFound(name: string, found: string): InvalidPackageError {
  return new InvalidPackageError(
    `pack ${name}: expected a tool, a list of tools, or a list of those as its default, pack, packs or tools export; found ${found}`,
    { details: { reason: "no_pack" } },
  );
}

function describe(module: Module): string {
  const exports = Object.keys(module);
  const shown = exports.slice(0, 10).map((key) => `${key} (${kindOf(module[key])})`);
  const more = exports.length > 10 ? ` and ${exports.length - 10} more` : "";
  return shown.length === 0 ? "no exports" : `${shown.join(", ")}${more}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (!Array.isArray(value)) return isTool(value) ? "tool" : typeof value;
  if (value.length === 0) return "empty list";
  const at = value.findIndex((item) => toolsIn(item, 1) === undefined);
  return at === -1 ? "list of tools" : `list with ${kindOf(value[at])} at ${at}`;
}
