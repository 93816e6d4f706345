import { expect, test } from "vitest";
import { packageFingerprint } from "../../test-data/package-samples.ts";
import { digestOf } from "../../test-data/samples.ts";
import { acceptedBy } from "../../test-data/strict-record.ts";
import { packageFingerprintMethod, packageFingerprintSchema } from "./package-fingerprint.ts";

test("a fingerprint says how it was made, and is no digest", () => {
  expect(packageFingerprintMethod).toBe("sha256:runtime-package-canonical-v1");
  const others = [
    digestOf("f"),
    packageFingerprint.toUpperCase(),
    packageFingerprint.slice(0, -1),
    `${packageFingerprint}f`,
    `${packageFingerprint}\n`,
    packageFingerprint.replace("v1", "v2"),
    "",
  ];
  expect(acceptedBy(packageFingerprintSchema, [packageFingerprint, ...others])).toStrictEqual([
    packageFingerprint,
  ]);
});
