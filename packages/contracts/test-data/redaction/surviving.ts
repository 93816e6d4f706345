import { sample } from "./generate.ts";
import type { TokenFormat } from "./token-formats.ts";

/** So much of a secret in a row is a leak; of a shorter secret, all of it. */
const leak = 12;

/** The first stretch of a secret that an output still shows; null when nothing of it survives. */
export function survivingPart(output: string, secret: string, fixed: readonly string[] = []): string | null {
  const size = Math.min(leak, secret.length);
  for (let start = 0; start + size <= secret.length; start++) {
    const part = secret.slice(start, start + size);
    if (output.includes(part) && !fixed.some((other) => other.includes(part))) return part;
  }
  return null;
}

/** Other values of a format: what they share with a value is the format's, and no secret (a webhook's host). */
export function othersOf(format: TokenFormat): string[] {
  return [1001, 1002, 1003, 1004].map((seed) => sample(format, seed));
}
