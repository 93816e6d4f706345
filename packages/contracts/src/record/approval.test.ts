import { describe, expect, test } from "vitest";
import { approval, standingGrant } from "../../test-data/samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import { approvalSchema, approvalStatusSchema, standingGrantSchema } from "./approval.ts";

describe("an approval", () => {
  keepsItsShape("approval", approvalSchema, approval, { optional: ["readBefore", "decidedBy", "decidedAt"] });

  test("A1: names the one call it fits: principal, tool digest, input hash and policy digest", () => {
    const fields = ["asker", "toolDigest", "inputHash", "policyDigest"];
    const loose = fields.flatMap((field) => [{ [field]: undefined }, { [field]: "*" }, { [field]: [] }]);
    expect(
      acceptedBy(
        approvalSchema,
        loose.map((changes) => ({ ...approval, ...changes })),
      ),
    ).toStrictEqual([]);
  });

  test("A1: expires, always", () => {
    expect(acceptedBy(approvalSchema.shape.expiresAt, [null, undefined, "", "never", 0])).toStrictEqual([]);
  });

  test("is for a tool by its canonical name", () => {
    expect(acceptedBy(approvalSchema.shape.tool, ["orders.place", "orders.*", "orders_place"])).toStrictEqual(
      ["orders.place"],
    );
  });

  test("is in one of these states", () => {
    expect(approvalStatusSchema.options).toStrictEqual([
      "pending",
      "approved",
      "used",
      "approved_for_session",
      "denied",
      "expired",
      "cancelled",
      "superseded",
    ]);
  });
});

describe("a standing grant", () => {
  keepsItsShape("grant", standingGrantSchema, standingGrant, { optional: ["fixedInput", "maxUses"] });

  test("fixes input members by JSON pointer, to any JSON value", () => {
    const pointed = [
      {},
      { "": { venue: "kalshi" } },
      { "/venue": "kalshi", "/legs/0/a~1b": null },
      JSON.parse('{"/__proto__":{"x":1}}') as object,
    ];
    const others = [
      { venue: "kalshi" },
      { "/a": 1, b: 2 },
      { "#/a": 1 },
      { "/a~2": 1 },
      JSON.parse('{"__proto__":1}') as object,
      [],
      null,
      "/venue",
    ];
    expect(acceptedBy(standingGrantSchema.shape.fixedInput, [...pointed, ...others])).toStrictEqual(pointed);
  });

  test("is for at least one use", () => {
    expect(acceptedBy(standingGrantSchema.shape.maxUses, [0, -1, 1.5, null, 1])).toStrictEqual([1]);
  });
});
