import {
  canonicalJson,
  cutPlaceholders,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "@spfunctions/contracts";

/** A field that two inputs do not have in common; a side without it has no value. */
export type Difference = {
  readonly path: readonly (string | number)[];
  readonly recorded?: JsonValue;
  readonly asked?: JsonValue;
};

/** The fields in which two recorded inputs differ. Two secrets are no difference: replay does not tell them apart either. */
export function inputDifferences(
  recorded: JsonValue | undefined,
  asked: JsonValue | undefined,
  path: Difference["path"] = [],
): Difference[] {
  if (isJsonObject(recorded) && isJsonObject(asked)) {
    const keys = new Set([...Object.keys(recorded), ...Object.keys(asked)]);
    return [...keys]
      .toSorted()
      .flatMap((key) => inputDifferences(own(recorded, key), own(asked, key), [...path, key]));
  }
  if (Array.isArray(recorded) && Array.isArray(asked)) {
    const longer = recorded.length > asked.length ? recorded : asked;
    return longer.flatMap((_, at) => inputDifferences(recorded[at], asked[at], [...path, at]));
  }
  if (recorded !== undefined && asked !== undefined && alike(recorded) === alike(asked)) return [];
  return [{ path, ...(recorded !== undefined && { recorded }), ...(asked !== undefined && { asked }) }];
}

function own(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function alike(value: JsonValue): string {
  return cutPlaceholders(canonicalJson(value));
}
