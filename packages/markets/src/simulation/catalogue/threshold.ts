import { mix } from "../noise.ts";
import type { Subject, Template } from "./template.ts";

/** The thresholds of one event, from the lowest: two to six, of daily events two or three. */
export function drawThresholds(template: Template, subject: Subject, key: number): readonly number[] {
  const base = template.base ?? subject.base ?? 100;
  const step = template.step ?? subject.step ?? 1;
  const count = 2 + (mix(key, 0x3000) % (template.cadence === "daily" ? 2 : 5));
  const lowest = base + ((mix(key, 0x3001) % 5) - 2 - Math.floor(count / 2)) * step;
  return Array.from({ length: count }, (_, at) => lowest + at * step);
}

/** A threshold as people write it: `$64,000` or `2.5%`. */
export function writeThreshold(value: number, template: Template): string {
  const [whole, rest] = digitsOf(value, template);
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return `${template.prefix ?? ""}${grouped}${rest === "" ? "" : `.${rest}`}${template.suffix ?? ""}`;
}

/** A threshold as tickers have it: `64000` or `2P5`. */
export function tickerNumber(value: number, template: Template): string {
  const [whole, rest] = digitsOf(value, template);
  return rest === "" ? whole : `${whole}P${rest}`;
}

function digitsOf(value: number, { decimals = 0 }: Template): readonly [whole: string, rest: string] {
  const digits = String(value).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return [digits.slice(0, point), digits.slice(point)];
}
