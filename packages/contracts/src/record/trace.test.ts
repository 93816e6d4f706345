import { describe, expect, test } from "vitest";
import {
  contentRow,
  erasedContentRow,
  seal,
  traceEntry,
  traceHeader,
  traceLine,
} from "../../test-data/samples.ts";
import { keepsItsShape } from "../../test-data/strict-record.ts";
import {
  contentRowSchema,
  traceEntrySchema,
  traceHeaderSchema,
  traceLineSchema,
  traceSealSchema,
} from "./trace.ts";

describe("a trace file", () => {
  keepsItsShape("header", traceHeaderSchema, traceHeader);
  keepsItsShape("line", traceLineSchema, traceLine, { optional: ["content"] });
  keepsItsShape("content row", contentRowSchema, contentRow);
  keepsItsShape("erased content row", contentRowSchema, erasedContentRow);
  keepsItsShape("seal line", traceSealSchema, { seal });
  keepsItsShape("seal", traceSealSchema.shape.seal, seal, { optional: ["signature"] });

  test("keeps of an erased payload neither text nor salt", () => {
    for (const left of [{ text: "x" }, { salt: "x" }, { salt: "x", text: "x" }]) {
      expect(contentRowSchema.safeParse({ ...erasedContentRow, ...left }).success).toBe(false);
    }
  });
});

// proves KEY-16.2, KEY-16.3, KEY-16.4, KEY-16.5, KEY-16.6, KEY-16.7, KEY-16.8, KEY-16.9, KEY-16.10, KEY-16.11
// proves KEY-16.12, KEY-16.13, KEY-16.14, KEY-16.15, KEY-16.16, KEY-16.17, KEY-16.18, KEY-16.19, KEY-16.20
// proves KEY-16.21, KEY-16.22, KEY-16.23
// proves RUN-14.6
describe("a trace entry", () => {
  keepsItsShape("entry", traceEntrySchema, traceEntry, {
    optional: ["toolDigest", "inputHash", "error", "sideEffect", "costEffect", "approvalId", "erased"],
  });

  test("of a call refused at the door needs no tool digest, input hash or effects", () => {
    const { toolDigest: _a, inputHash: _b, sideEffect: _c, costEffect: _d, ...refused } = traceEntry;
    expect(traceEntrySchema.parse(refused)).toStrictEqual(refused);
  });
});
