import { describe, expect, test } from "vitest";
import { packageDelta } from "../../test-data/package-samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import { packageChangeSchema, packageDeltaSchema } from "./package-delta.ts";

describe("a delta", () => {
  keepsItsShape("delta", packageDeltaSchema, packageDelta);

  test("knows these changes and no others", () => {
    const others = [
      { type: "set_policies", policies: [] },
      { type: "add_hook", hook: {} },
      { type: "set_model", model: "another" },
      { type: "activate_capability", capabilityId: "tool.orders.place" },
    ];
    expect(acceptedBy(packageChangeSchema, [...packageDelta.changes, ...others])).toStrictEqual(
      packageDelta.changes,
    );
  });

  test("that changes nothing is refused", () => {
    expect(packageDeltaSchema.safeParse({ ...packageDelta, changes: [] }).success).toBe(false);
  });
});
