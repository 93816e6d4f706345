// When the events of a series close: always at a quarter of an hour, in UTC. An event opens when an earlier one of its series
// closes, so that as many are open at any time.
import { mix } from "../noise.ts";
import type { Cadence } from "./template.ts";

const dayMs = 86_400_000;
const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/** The events that are known: those that close within these years. */
export const firstClose = Date.UTC(2020, 0, 1);
export const afterLastClose = Date.UTC(2100, 0, 1);

export type Rhythm = {
  readonly cadence: Cadence;
  readonly day: number;
  readonly month: number;
  readonly timeMs: number;
};

/** Daily events are open for two days, so that today's and tomorrow's stand side by side. */
export const openAtOnce: Readonly<Record<Cadence, number>> = {
  daily: 2,
  weekly: 1,
  monthly: 1,
  quarterly: 1,
};

export function drawRhythm(key: number, cadence: Cadence): Rhythm {
  return {
    cadence,
    day: mix(key, 0x1000) % (cadence === "weekly" ? 7 : 28),
    month: mix(key, 0x1001) % 3,
    timeMs: (mix(key, 0x1002) % 96) * 900_000,
  };
}

/** When the nth event closes. */
export function closeOf({ cadence, day, month, timeMs }: Rhythm, nth: number): number {
  if (cadence === "daily") return nth * dayMs + timeMs;
  if (cadence === "weekly") return (nth * 7 + day) * dayMs + timeMs;
  return Date.UTC(1970, cadence === "monthly" ? nth : nth * 3 + month, day + 1) + timeMs;
}

/** The first event that closes after a time. */
export function firstClosingAfter(rhythm: Rhythm, ms: number): number {
  let nth = roughly(rhythm.cadence, ms);
  while (closeOf(rhythm, nth) > ms) nth -= 1;
  while (closeOf(rhythm, nth) <= ms) nth += 1;
  return nth;
}

/** `26NOV17` */
export function dateCode(ms: number): string {
  const date = new Date(ms);
  return `${twoDigits(date.getUTCFullYear() % 100)}${months[date.getUTCMonth()] ?? ""}${twoDigits(date.getUTCDate())}`;
}

/** The day of a date code; for what is none, a day whose code is another or nothing. */
export function dayOfCode(code: string): number | undefined {
  const month = months.indexOf(code.slice(2, 5));
  return month < 0 ? undefined : Date.UTC(2000 + Number(code.slice(0, 2)), month, Number(code.slice(5)));
}

/** `17 Nov 2026` */
export function dateText(ms: number): string {
  const date = new Date(ms);
  const month = months[date.getUTCMonth()] ?? "";
  return `${date.getUTCDate()} ${month.slice(0, 1)}${month.slice(1).toLowerCase()} ${date.getUTCFullYear()}`;
}

/** `22:15 UTC` */
export function timeText(ms: number): string {
  const date = new Date(ms);
  return `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())} UTC`;
}

function roughly(cadence: Cadence, ms: number): number {
  if (cadence === "daily") return Math.floor(ms / dayMs);
  if (cadence === "weekly") return Math.floor(ms / (7 * dayMs));
  const date = new Date(ms);
  const month = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  return cadence === "monthly" ? month : Math.floor(month / 3);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
