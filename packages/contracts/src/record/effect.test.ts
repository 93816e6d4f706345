import { describe, expect, test } from "vitest";
import { effectIntent, effectResult, toolExecutionOutput } from "../../test-data/samples.ts";
import { keepsItsShape } from "../../test-data/strict-record.ts";
import {
  effectIntentSchema,
  effectResultSchema,
  effectTerminalStatusSchema,
  toolExecutionOutputSchema,
} from "./effect.ts";

const optional = ["externalOperationId", "reconciliationRef", "errorRef"];

// proves PORT-12.3, PORT-12.4, PORT-12.5, PORT-12.6, PORT-12.7, PORT-12.8, PORT-12.9, PORT-12.11
// proves PORT-12.12, PORT-12.13, PORT-12.14, PORT-12.15, PORT-12.16, PORT-15.1, PORT-15.2, PORT-15.3
// proves PORT-15.4, PORT-15.5, PORT-15.6, PORT-15.7, PORT-15.8, PORT-15.10, PORT-16.1
describe("an effect", () => {
  keepsItsShape("intent", effectIntentSchema, effectIntent, { optional: ["approvalId", "inputHash"] });
  keepsItsShape("output", toolExecutionOutputSchema, toolExecutionOutput, { optional });
  keepsItsShape("result", effectResultSchema, effectResult, { optional });

  // proves PORT-16.8
  test("ends in one of these ways", () => {
    expect(effectTerminalStatusSchema.options).toStrictEqual([
      "completed",
      "failed",
      "timed_out",
      "cancelled",
      "denied_before_execution",
      "unknown",
    ]);
  });

  // proves PORT-1.13, PORT-12.10
  test("X1: is always attempted under a key", () => {
    for (const idempotencyKey of ["", "x".repeat(257), null, undefined]) {
      expect(effectIntentSchema.safeParse({ ...effectIntent, idempotencyKey }).success).toBe(false);
    }
  });

  test("G1: has a known class", () => {
    for (const changes of [
      { sideEffect: "llm_cost" },
      { costEffect: "free" },
      { idempotency: { type: "maybe" } },
    ]) {
      expect(effectIntentSchema.safeParse({ ...effectIntent, ...changes }).success).toBe(false);
    }
  });
});
