import type { JsonValue } from "@spfunctions/contracts";

const textChanges: readonly (readonly [string, (text: string) => string])[] = [
  ["trimmed", (text) => text.trim()],
  ["put in lower case", (text) => text.toLowerCase()],
  ["put in upper case", (text) => text.toUpperCase()],
  ["normalized", (text) => text.normalize()],
];

/** What has become of a value at a place where it differs, in a word that shows neither (S1). */
export function howChanged(given: unknown, value: JsonValue, way: readonly string[]): string {
  const [before, after] = [memberAt(value, way), memberAt(given, way)];
  if (before === undefined) return "filled in";
  if (after === undefined) return "left out";
  const [was, is] = [kindOf(before), kindOf(after)];
  if (was !== is) return `made ${is}`;
  const known = textChanges.find(([, change]) => typeof before === "string" && change(before) === after);
  return known?.[0] ?? "changed";
}

function memberAt(value: unknown, way: readonly string[]): unknown {
  return way.reduce((inner, key) => {
    const members = inner as Readonly<Record<string, unknown>>;
    return Object.hasOwn(members, key) ? members[key] : undefined;
  }, value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
