import { number } from "../schema-type.ts";
import type { ConstantValue } from "../source/constant-value.ts";

/** A limit's value with its unit, which its name ends with. */
export function valueWords(name: string, value: ConstantValue): string {
  if (typeof value === "object")
    return Object.entries(value)
      .map(([key, one]) => `${key} ${valueWords(key, one)}`)
      .join(", ");
  if (name.endsWith("Ms")) return duration(value);
  if (/(?:S|Seconds)$/.test(name)) return duration(value * 1000);
  if (name.endsWith("Bytes")) return bytes(value);
  const unit = /(Chars|Tokens)$/.exec(name)?.[1];
  return unit === undefined
    ? number(value)
    : `${number(value)} ${unit === "Chars" ? "characters" : "tokens"}`;
}

const spans = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
] as const;

/** In the largest unit that it is a whole number of; a day is 24 hours, so that nobody takes it for a calendar's. */
function duration(ms: number): string {
  const [unit, width] = spans.find(([name, span]) => ms % span === 0 && !(name === "d" && ms === span)) ?? [
    "ms",
    1,
  ];
  return `${number(ms / width)} ${unit}`;
}

function bytes(count: number): string {
  for (const [unit, size] of [
    ["MiB", 2 ** 20],
    ["KiB", 2 ** 10],
  ] as const)
    if (count % size === 0 && count >= size) return `${number(count / size)} ${unit}`;
  return `${number(count)} bytes`;
}
