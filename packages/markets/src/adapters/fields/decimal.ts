// Venues write prices as decimals, and a decimal is read as one: 0.57 * 100 is 56.99999999999999 in floating point.

/** Exactly digits / 10^scale. */
export type Decimal = { readonly digits: bigint; readonly scale: number };

export const zero: Decimal = { digits: 0n, scale: 0 };
export const one: Decimal = { digits: 1n, scale: 0 };

const form = /^(-?)([0-9]{1,40})(?:\.([0-9]{1,40}))?(?:[eE]([+-]?[0-9]{1,2}))?$/;

/** What is written is taken as it is written: a number by the digits that JSON would give it. */
export function readDecimal(value: string | number): Decimal | undefined {
  const match = form.exec(String(value));
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** Less than zero, zero or more, as `a` is to `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const { digits } = subtract(a, b);
  return digits === 0n ? 0 : digits < 0n ? -1 : 1;
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: digitsAt(a, scale) - digitsAt(b, scale), scale };
}

/** Dollars in cents. */
export function timesHundred({ digits, scale }: Decimal): Decimal {
  return { digits: digits * 100n, scale };
}

/** Cents in dollars. */
export function overHundred({ digits, scale }: Decimal): Decimal {
  return { digits, scale: scale + 2 };
}

export type Rounding = "down" | "up" | "nearest";

/** A whole number; `nearest` takes a half to the even one. Only for what is not negative. */
export function wholeOf({ digits, scale }: Decimal, rounding: Rounding): number {
  const unit = 10n ** BigInt(scale);
  const down = digits / unit;
  const rest = (digits % unit) * 2n;
  if (rest === 0n || rounding === "down") return Number(down);
  if (rounding === "up") return Number(down + 1n);
  const isOver = rest > unit || (rest === unit && down % 2n === 1n);
  return Number(isOver ? down + 1n : down);
}

function digitsAt({ digits, scale }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}
