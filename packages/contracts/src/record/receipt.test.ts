import { describe, expect, test } from "vitest";
import { receipt, signature, toolCallResult } from "../../test-data/samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import { receiptSchema, signatureSchema, toolCallResultSchema } from "./receipt.ts";

// proves KEY-2.3, KEY-2.4, KEY-2.5
describe("a receipt", () => {
  keepsItsShape("receipt", receiptSchema, receipt, {
    optional: [
      "toolDigest",
      "inputHash",
      "outputHash",
      "approvalId",
      "sideEffect",
      "costEffect",
      "signature",
    ],
  });
  keepsItsShape("signature", signatureSchema, signature);

  test("is of version 1, from a known door, at a place in a journal", () => {
    for (const changes of [{ v: 2 }, { v: "1" }, { origin: "cli" }, { seq: 0 }, { seq: 1.5 }, { hash: "" }]) {
      expect(receiptSchema.safeParse({ ...receipt, ...changes }).success).toBe(false);
    }
  });
});

// proves KEY-13.1, KEY-13.20
describe("what a governed call answers", () => {
  keepsItsShape("result", toolCallResultSchema, toolCallResult, {
    optional: ["replayed", "matchedBy", "recordedToolDigest"],
  });

  test("says by JSON pointers where its record differs", () => {
    const pointers = [[], [""], ["/account/token", "/legs/0/a~1b~0c"]];
    const others = [["account"], ["/a", "#/b"], ["/a~2"], [7], "/a"];
    expect(acceptedBy(toolCallResultSchema.shape.redacted, [...pointers, ...others])).toStrictEqual(pointers);
  });

  test("may be null, but is always said", () => {
    expect(toolCallResultSchema.safeParse({ ...toolCallResult, output: null }).success).toBe(true);
  });
});
