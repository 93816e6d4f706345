import { InvalidArgumentError } from "commander";

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** How long a text like 45m, 12h or 30d is, in milliseconds; nothing where it is no such text. */
export function durationIn(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * units[unit as keyof typeof units];
}

/** The same, of an option. */
export function duration(text: string): number {
  const ms = durationIn(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new InvalidArgumentError("expected how long, like 30m, 12h or 7d");
}
