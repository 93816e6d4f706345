import { describe, expect, test } from "vitest";
import { approval, approvalOfCall, standingGrant } from "../../test-data/samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import {
  approvalAnswerSchema,
  approvalOfCallSchema,
  approvalSchema,
  approvalStatusSchema,
  askedSchema,
  keptApprovalSchema,
  keptGrantSchema,
  standingGrantSchema,
} from "./approval.ts";

describe("an approval", () => {
  keepsItsShape("approval", approvalSchema, approval, {
    optional: [
      "sessionId",
      "gate",
      "readBefore",
      "approvers",
      "decidedBy",
      "decidedAt",
      "note",
      "grantId",
      "usedBy",
      "erased",
    ],
  });

  test("B8: is answered in one of these words, and in no other", () => {
    const words = ["approved", "approved_for_session", "denied"];
    const others = ["approve", "yes", "APPROVED", "used", "pending", "expired", true, ["approved"], null, ""];
    expect(acceptedBy(approvalAnswerSchema, [...words, ...others])).toStrictEqual(words);
  });

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
  keepsItsShape("grant", standingGrantSchema, standingGrant, {
    optional: ["fixedInput", "maxUses", "revokedBy"],
  });

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

  test("counts its uses from nothing", () => {
    expect(acceptedBy(standingGrantSchema.shape.uses, [-1, 1.5, null, undefined, 0, 7])).toStrictEqual([
      0, 7,
    ]);
  });
});

describe("what a call's records say of its approval", () => {
  keepsItsShape("approval of a call", approvalOfCallSchema, approvalOfCall, {
    optional: ["decidedBy", "grantId", "elsewhere"],
  });

  test("which was asked elsewhere says how often, and by what it was sent, where it took something", () => {
    const asked = (elsewhere: unknown) => ({ ...approvalOfCall, elsewhere });
    const { approvalId: sentBy } = approvalOfCall;
    const accepted = [asked({ times: 1 }), asked({ times: 3, sentBy })];
    const refused = [asked({}), asked({ times: 0 }), asked({ times: 1, sentBy: "x" }), asked(true)];
    expect(acceptedBy(approvalOfCallSchema, [...accepted, ...refused])).toStrictEqual(accepted);
  });
});

describe("in a store", () => {
  keepsItsShape("kept approval", keptApprovalSchema, { value: approval, proof: "proof" });
  keepsItsShape("kept grant", keptGrantSchema, { value: standingGrant, proof: "proof" });
  keepsItsShape("asked", askedSchema, { approvalId: approval.approvalId });
});
