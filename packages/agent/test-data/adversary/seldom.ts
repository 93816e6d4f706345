import * as fc from "fast-check";

/** Nothing, but for once in so many times. */
export function seldom<Value>(value: fc.Arbitrary<Value>, times: number): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

/** The first, and once in six times the other. */
export function mostly<Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: other });
}
