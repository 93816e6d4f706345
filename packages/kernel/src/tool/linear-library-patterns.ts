// zod checks a value once more, by patterns of its own that its JSON Schema cannot always say (flags, hosts of links). They run in
// linear time, too: each is replaced in the schema by one that answers the same.
import { linearPattern } from "./linear-pattern.ts";
import { requireLinear } from "./patterns-in.ts";
import type { StandardSchema } from "./standard-schema.ts";

type Internals = { def: Record<string, unknown>; pattern?: unknown; innerType?: unknown };

/** Throws `NotLinearError` for the first pattern that cannot be run so. Of other libraries nothing is known here. */
export function useLinearPatterns(schema: StandardSchema): void {
  if (schema["~standard"].vendor === "zod") look(schema, [], new Set());
}

class LinearRegExp extends RegExp {
  override test(text: string): boolean {
    return linearPattern(this.source, this.flags).test(text);
  }
}

function look(schema: unknown, path: readonly string[], seen: Set<unknown>): void {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return;
  seen.add(schema);
  const { _zod: zod } = schema as { readonly _zod?: Internals };
  if (zod === undefined) return;
  const { def } = zod;
  replaceIn(def, path);
  if (def["type"] === "template_literal") replacePattern(zod, "pattern", path);
  if (def["type"] === "lazy") look(zod.innerType, path, seen);
  for (const [name, part] of Object.entries(def)) {
    look(part, wayTo(name, path), seen);
    if (!manyParts.has(name) || typeof part !== "object" || part === null) continue;
    for (const [member, one] of Object.entries(part))
      look(one, name === "shape" ? [...path, "properties", member] : path, seen);
  }
}

/** Where zod keeps several schemas or checks. */
const manyParts: ReadonlySet<string> = new Set(["shape", "options", "items", "checks", "parts"]);

/** As JSON Schema names it. */
function wayTo(name: string, path: readonly string[]): readonly string[] {
  if (name === "element") return [...path, "items"];
  if (name === "keyType") return [...path, "propertyNames"];
  return name === "valueType" || name === "catchall" ? [...path, "additionalProperties"] : path;
}

function replaceIn(def: Record<string, unknown>, path: readonly string[]): void {
  const names = Object.keys(def).filter((name) => def[name] instanceof RegExp);
  for (const name of names) replacePattern(def, name, path);
  // A format of somebody's own runs its pattern in a function.
  const { pattern, fn, check } = def;
  if (pattern instanceof RegExp && check === "string_format" && typeof fn === "function")
    def["fn"] = (text: string) => pattern.test(text);
}

function replacePattern(holder: object, name: string, path: readonly string[]): void {
  const pattern: unknown = Reflect.get(holder, name);
  if (!(pattern instanceof RegExp) || pattern instanceof LinearRegExp) return;
  requireLinear(pattern.source, [...path, name], pattern.flags);
  Object.defineProperty(holder, name, {
    value: new LinearRegExp(pattern.source, pattern.flags),
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
