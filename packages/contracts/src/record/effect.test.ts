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

describe("an effect", () => {
  keepsItsShape("intent", effectIntentSchema, effectIntent, { optional: ["approvalId", "inputHash"] });
  keepsItsShape("output", toolExecutionOutputSchema, toolExecutionOutput, { optional });
  keepsItsShape("result", effectResultSchema, effectResult, { optional });

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
