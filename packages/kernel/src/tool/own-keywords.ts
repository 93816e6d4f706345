// Two words of JSON Schema that the validator reads otherwise than they are meant: it compares every item of a list with every other,
// so that a long one takes minutes, and divides numbers as the machine does, so that 0.07 would be no multiple of 0.01.
import { canonicalJson } from "@spfunctions/contracts";
import type { Ajv2020 } from "ajv/dist/2020.js";

/** Has both words checked as JSON Schema means them, in time that grows with the value. */
export function useOwnKeywords(ajv: Ajv2020): void {
  ajv.removeKeyword("uniqueItems").addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (wanted: boolean, items: readonly unknown[]) => !wanted || areUnique(items),
    error: { message: "must NOT have duplicate items" },
  });
  ajv.removeKeyword("multipleOf").addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    validate: isMultiple,
    error: { message: ({ schema }) => `must be multiple of ${String(schema)}` },
  });
}

function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map(canonicalJson)).size === items.length;
}

function isMultiple(step: number, value: number): boolean {
  const [a, b] = [decimal(value), decimal(step)];
  const places = Math.max(a.places, b.places);
  return scaled(a, places) % scaled(b, places) === 0n;
}

type Decimal = { readonly digits: bigint; readonly places: number };

/** A number as it is written: `0.07` is seven hundredths. */
function decimal(value: number): Decimal {
  const [written = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = written.split(".");
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
}

function scaled({ digits, places }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - places);
}
