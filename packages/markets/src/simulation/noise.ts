// Randomness without a generator: whole numbers mixed into whole numbers, so that any moment of any market can be asked for
// by itself. Only 32-bit integer arithmetic and + - * / on doubles, which come out alike on every machine.

/** Two whole numbers mixed into one of 32 bits. */
export function mix(a: number, b: number): number {
  let h = (a ^ Math.imul(b, 0x9e3779b1)) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A text mixed into a whole number of 32 bits. */
export function mixText(key: number, text: string): number {
  let h = key | 0;
  for (let at = 0; at < text.length; at += 1) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193);
  return mix(h, text.length);
}

/** A whole number of 32 bits as a fraction from 0 to just below 1. */
export function fraction(hash: number): number {
  return hash / 0x1_0000_0000;
}

/** A smooth curve from -1 to 1 that turns about once in every `period` ticks. */
export function valueNoise(key: number, tick: number, period: number): number {
  const cell = Math.floor(tick / period);
  const along = (tick - cell * period) / period;
  const before = fraction(mix(key, cell));
  const after = fraction(mix(key, cell + 1));
  const eased = along * along * (3 - 2 * along);
  return (before + (after - before) * eased) * 2 - 1;
}
