import { InvalidArgumentError } from "commander";

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** How long a text like 500ms, 30s, 45m, 12h or 30d is, in milliseconds; nothing where it is no such text. */
export function durationIn(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,10})(ms|[smhd])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * units[unit as keyof typeof units];
}

/** The same, of an option: a time for people. */
export function duration(text: string): number {
  const ms = durationIn(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new InvalidArgumentError("expected how long, like 30m, 12h or 7d");
}
