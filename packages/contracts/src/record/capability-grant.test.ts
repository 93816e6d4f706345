import { expect, test } from "vitest";
import { capabilityGrant } from "../../test-data/samples.ts";
import { capabilityGrantSchema } from "./capability-grant.ts";

test("a grant is what it says, and nothing beside it", () => {
  expect(capabilityGrantSchema.parse(capabilityGrant)).toStrictEqual(capabilityGrant);
  const { reason: _, readBefore: __, asker: ___, ...unasked } = capabilityGrant;
  expect(capabilityGrantSchema.parse(unasked)).toStrictEqual(unasked);
});

test.each([
  { capability: "net:127.0.0.1" },
  { capability: "net:Example.com" },
  { status: "approved" },
  { scope: "always" },
  { grantId: "grant_00000000" },
  { holder: {} },
  { forever: true },
])("%j is none", (changes) => {
  expect(capabilityGrantSchema.safeParse({ ...capabilityGrant, ...changes }).success).toBe(false);
});
