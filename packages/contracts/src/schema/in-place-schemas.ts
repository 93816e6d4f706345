import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { listIn, membersIn } from "./keyword-values.ts";
import { localTarget } from "./local-target.ts";

/** Schemas that speak of the same value as the one they stand in: wherever that one holds, or only in some cases. */
export type InPlaceSchemas = {
  readonly always: readonly JsonValue[];
  readonly sometimes: readonly JsonValue[];
};

/** Those that a schema of this document holds or refers to. */
export function inPlaceSchemas(document: JsonObject, schema: JsonObject): InPlaceSchemas {
  const { $ref, if: condition, then, else: otherwise } = schema;
  return {
    always: present(localTarget(document, $ref), ...listIn(schema, "allOf")),
    sometimes: present(
      ...listIn(schema, "anyOf"),
      ...listIn(schema, "oneOf"),
      condition,
      then,
      otherwise,
      ...[...membersIn(schema, "dependentSchemas"), ...membersIn(schema, "dependencies")].map(
        ([, child]) => child,
      ),
    ),
  };
}

function present(...schemas: readonly (JsonValue | undefined)[]): JsonValue[] {
  return schemas.filter((schema) => schema !== undefined);
}
