import { describe, expect, test } from "vitest";
import { childOfRun, runtimeRunResult, runtimeSession, runtimeStep } from "../../test-data/samples.ts";
import { keepsItsShape } from "../../test-data/strict-record.ts";
import {
  runStatusSchema,
  runtimeRunResultSchema,
  runtimeSessionSchema,
  runtimeStepSchema,
} from "./session.ts";

const childSchema = runtimeRunResultSchema.shape.children.unwrap().element;

describe("a session, its steps and a run's result", () => {
  keepsItsShape("session", runtimeSessionSchema, runtimeSession, { optional: ["objective"] });
  keepsItsShape("step", runtimeStepSchema, runtimeStep, { optional: ["tool", "traceId", "completedAt"] });
  keepsItsShape("run result", runtimeRunResultSchema, runtimeRunResult, {
    optional: ["sessionId", "output", "usage", "error", "unknownEffects", "children"],
  });
  keepsItsShape("child of a run", childSchema, childOfRun, { optional: ["spent"] });

  test("take these values only", () => {
    expect(runStatusSchema.options).toStrictEqual([
      "completed",
      "failed",
      "blocked",
      "cancelled",
      "requires_approval",
      "recovery_needed",
    ]);
    expect(childSchema.shape.status.options).toStrictEqual([
      "completed",
      "blocked",
      "failed",
      "cancelled",
      "running",
      "resting",
      "asking",
      "detaching",
      "detached",
    ]);
    expect(runtimeStepSchema.shape.type.options).toStrictEqual([
      "model",
      "tool",
      "approval",
      "handoff",
      "system",
    ]);
    expect(runtimeStepSchema.shape.status.options).toStrictEqual([
      "started",
      "completed",
      "failed",
      "blocked",
    ]);
  });
});
