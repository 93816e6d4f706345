import { describe, expect, test } from "vitest";
import { packageSidecar } from "../../test-data/package-samples.ts";
import { acceptedBy } from "../../test-data/strict-record.ts";
import { packageSidecarSchema } from "./package-sidecar.ts";

describe("a sidecar", () => {
  test("is accepted as it is, and with an unknown key refused", () => {
    expect(packageSidecarSchema.parse(packageSidecar)).toStrictEqual(packageSidecar);
    expect(acceptedBy(packageSidecarSchema, [{ ...packageSidecar, body: "{}" }])).toStrictEqual([]);
  });

  test("that names no capability is of none in particular", () => {
    const { capabilityIds: _, ...sidecar } = packageSidecar;
    expect(packageSidecarSchema.parse(sidecar)).toStrictEqual({ ...sidecar, capabilityIds: [] });
  });

  test("has a ref, a kind and a digest", () => {
    const others = [{ ref: "" }, { kind: "" }, { kind: "Venue List" }, { digest: "sha256:1" }];
    const changed = others.map((changes) => ({ ...packageSidecar, ...changes }));
    expect(acceptedBy(packageSidecarSchema, changed)).toStrictEqual([]);
  });
});
