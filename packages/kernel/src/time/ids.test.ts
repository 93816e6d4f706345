import {
  callIdSchema,
  contentRefSchema,
  effectIdSchema,
  runIdSchema,
  traceIdSchema,
} from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentRef, nameCall, randomIds } from "./ids.ts";

describe("random ids", () => {
  test("are different every time, and fit every name made of them", () => {
    const made = Array.from({ length: 2000 }, randomIds.unique);
    expect(new Set(made).size).toBe(made.length);
    for (const unique of made) {
      expect(unique).toMatch(/^[0-9A-Za-z-]{8,40}$/);
      const { runId, callId, effectId, traceId } = nameCall(unique);
      runIdSchema.parse(runId);
      callIdSchema.parse(callId);
      effectIdSchema.parse(effectId);
      traceIdSchema.parse(traceId);
      for (const part of ["input", "output", "error", "attempt-2-output"])
        contentRefSchema.parse(contentRef(unique, part));
    }
  });

  test("salts have 16 bytes each, and are different every time, past the end of the pool too", () => {
    const salts = Array.from({ length: 3000 }, randomIds.salt);
    expect(new Set(salts).size).toBe(salts.length);
    for (const salt of salts) expect(Buffer.from(salt, "base64url").length).toBe(16);
    // Bytes of one salt are in no other: each was cut from its own place.
    const halves = salts.flatMap((salt) => [salt.slice(0, 10), salt.slice(11, 21)]);
    expect(new Set(halves).size).toBe(halves.length);
  });
});

describe("the names of a call", () => {
  test("differ in their prefix alone", () => {
    expect(nameCall("0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000")).toStrictEqual({
      runId: "run_0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000",
      callId: "call_0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000",
      effectId: "eff_0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000",
      traceId: "0190aaaabbbb7ccc8dddeeeeffff0000",
    });
    expect(contentRef("0190aaaa", "input")).toBe("content_0190aaaa-input");
  });

  test("are sound for anything that the port may give", () => {
    const unique = fc.stringMatching(/^[0-9A-Za-z-]{8,40}$/);
    fc.assert(
      fc.property(unique, (text) => {
        const { runId, callId, effectId, traceId } = nameCall(text);
        const sound = [
          runIdSchema.safeParse(runId).success,
          callIdSchema.safeParse(callId).success,
          effectIdSchema.safeParse(effectId).success,
          traceIdSchema.safeParse(traceId).success,
          contentRefSchema.safeParse(contentRef(text, "output")).success,
        ];
        expect(sound).toStrictEqual([true, true, true, true, true]);
      }),
    );
  });
});
