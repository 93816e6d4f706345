// A pattern in JSON Schema has no flags, and is read by whole characters. One of zod's that would allow less when it is read so is
// left out of what zod says: then it is zod's own check that decides.
import { isPattern } from "./plain-schema.ts";

type Check = { readonly pattern?: unknown; readonly format?: unknown; readonly position?: unknown };
type ZodSchema = { readonly _zod: Internals };
type Internals = {
  readonly def: Check & {
    readonly type?: unknown;
    readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
    readonly keyType?: ZodSchema;
  };
  readonly pattern?: unknown;
};
type Said = { readonly zodSchema: ZodSchema; readonly jsonSchema: Record<string, unknown> };

/** For each schema that zod says, as its `override`. */
export function leaveOutUnsayable({ zodSchema: { _zod: zod }, jsonSchema }: Said): void {
  const { pattern, allOf, patternProperties } = jsonSchema;
  const sources = unsayable(zod);
  if (sources.has(pattern)) delete jsonSchema["pattern"];
  if (sources.size > 0 && Array.isArray(allOf)) {
    const left = allOf.filter((part: Check) => !sources.has(part.pattern));
    if (left.length > 0) jsonSchema["allOf"] = left;
    else delete jsonSchema["allOf"];
  }
  const { _zod: key } = zod.def.keyType ?? {};
  if (key === undefined || patternProperties === undefined) return;
  const names = unsayable(key);
  const said = Object.entries(patternProperties as object).filter(([source]) => !names.has(source));
  jsonSchema["patternProperties"] = Object.fromEntries(said);
}

function unsayable({ def, pattern }: Internals): ReadonlySet<unknown> {
  const template = def.type === "template_literal" ? [{ pattern }] : [];
  const checks = [def, ...(def.checks ?? []).map(({ _zod: check }) => check.def), ...template];
  return new Set(checks.flatMap((check) => unsayableSource(check) ?? []));
}

/** Beside these patterns zod has another check, which takes more. */
const isMoreThanPattern = ({ format, position }: Check) =>
  format === "ipv6" || format === "cidrv6" || position !== undefined;

/** How halves of characters are written, which are none where whole ones are read. */
const half = /\\u[dD][89a-fA-F]|[\uD800-\uDFFF]/;

function unsayableSource(check: Check): string | undefined {
  const { pattern } = check;
  if (!(pattern instanceof RegExp)) return undefined;
  const { source, flags, unicode } = pattern;
  const isSayable = /^[dguy]*$/.test(flags) && isPattern(source) && (unicode || !half.test(source));
  return isSayable && !isMoreThanPattern(check) ? undefined : source;
}
