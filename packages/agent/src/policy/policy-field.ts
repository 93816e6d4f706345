import type { JsonValue, ParsedPolicy } from "@spfunctions/contracts";

/** What one field of a policy means for its size. */
export type PolicyField = {
  readonly path: string;
  /** Its value in canonical form; what means the same as leaving it out is left out. */
  readonly read: (policy: ParsedPolicy) => JsonValue | undefined;
  /** Whether whatever the field lets pass in one policy, it lets pass in the other. */
  readonly isWithin: (inner: ParsedPolicy, outer: ParsedPolicy) => boolean;
  /** What is shown instead of its value. */
  readonly shown?: (value: JsonValue) => JsonValue;
};

/** Whether one value of a field is within another. */
export type Within<Value> = (inner: Value | undefined, outer: Value | undefined) => boolean;

export function field<Value extends JsonValue>(
  path: string,
  read: (policy: ParsedPolicy) => Value | undefined,
  isWithin: Within<Value>,
): PolicyField {
  return { path, read, isWithin: (inner, outer) => isWithin(read(inner), read(outer)) };
}

/** A list without order or repetitions. */
export function asSet(list: readonly string[] | undefined): readonly string[] | undefined {
  return list && [...new Set(list)].toSorted();
}

/** The same, of a list that means nothing when it is empty. */
export function asSetUnlessEmpty(list: readonly string[] | undefined): readonly string[] | undefined {
  return list?.length === 0 ? undefined : asSet(list);
}

/** Entries let pass; without a list everything does. */
export function listOf(covers = isSame): Within<readonly string[]> {
  return (inner, outer) =>
    outer === undefined ||
    (inner !== undefined && inner.every((entry) => outer.some((one) => covers(one, entry))));
}

/** Entries are stopped; without a list nothing is. */
export function stopsOf(covers = isSame): Within<readonly string[]> {
  return (inner = [], outer = []) => outer.every((entry) => inner.some((one) => covers(one, entry)));
}

function isSame(one: string, other: string): boolean {
  return one === other;
}

/** The lower lets less pass; without one everything does. */
export function upTo<Value>(rank: (value: Value) => number): Within<Value> {
  return (inner, outer) => outer === undefined || (inner !== undefined && rank(inner) <= rank(outer));
}

/** Two values that are both there; of one that is not nobody knows here what it stands for. */
export function bothUpTo<Value>(rank: (value: Value) => number): Within<Value> {
  return (inner, outer) => inner !== undefined && outer !== undefined && rank(inner) <= rank(outer);
}

/** Off unless it is on. */
export const restriction: Within<boolean> = (inner = false, outer = false) => inner || !outer;
export const permission: Within<boolean> = (inner = false, outer = false) => outer || !inner;

/** Being there at all lets more pass. */
export const presenceGrants: Within<JsonValue> = (inner, outer) => inner === undefined || outer !== undefined;
/** Being there at all lets less pass, and any other value lets other things pass. */
export const demand: Within<JsonValue> = (inner, outer) => outer === undefined || inner === outer;
/** Neither is within the other. */
export const never: Within<JsonValue> = () => false;
