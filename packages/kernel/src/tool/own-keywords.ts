// Three keywords of JSON Schema that the validator reads otherwise than they are meant. It compares every item of a list with every other,
// so that a long list takes minutes; it divides numbers as the machine does, so that 0.07 would be no multiple of 0.01; and it takes an
// empty list for one that contains what is wanted, if another list came before it or `prefixItems` stands beside `contains`.
import { canonicalJson } from "@spfunctions/contracts";
import { _, type Ajv2020, type KeywordCxt } from "ajv/dist/2020.js";

/** Makes the validator check these keywords as JSON Schema means them, in time that grows with the value. */
export function useOwnKeywords(ajv: Ajv2020): void {
  const contains = ajv.getKeyword("contains");
  if (typeof contains !== "object" || !("code" in contains)) throw new Error("the validator has no contains");
  ajv.removeKeyword("contains").addKeyword({
    ...contains,
    before: "prefixItems",
    code(context: KeywordCxt, ...more) {
      const { minContains: min = 1 } = context.parentSchema as { minContains?: number };
      context.setParams({ min });
      if (min !== 0) context.fail(_`${context.data}.length === 0`);
      contains.code(context, ...more);
    },
  });
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
