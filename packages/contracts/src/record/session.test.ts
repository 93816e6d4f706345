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

// proves RUN-7.1, RUN-7.2, RUN-7.8, RUN-7.9, RUN-7.10, RUN-10.3, RUN-10.4, RUN-10.5, RUN-10.6, RUN-10.7, RUN-10.8
// proves RUN-10.9, RUN-10.19, RUN-10.20, RUN-10.21, RUN-10.22
describe("a session, its steps and a run's result", () => {
  keepsItsShape("session", runtimeSessionSchema, runtimeSession, { optional: ["objective"] });
  keepsItsShape("step", runtimeStepSchema, runtimeStep, {
    optional: ["tool", "traceId", "completedAt", "code", "reason"],
  });
  keepsItsShape("run result", runtimeRunResultSchema, runtimeRunResult, {
    optional: ["sessionId", "output", "usage", "error", "unknownEffects", "children"],
  });
  keepsItsShape("child of a run", childSchema, childOfRun, { optional: ["spent"] });

  // proves RUN-7.3, RUN-7.4, RUN-7.5, RUN-7.6, RUN-7.7, RUN-10.10, RUN-10.11, RUN-10.12, RUN-10.13, RUN-10.14
  // proves RUN-10.15, RUN-10.16, RUN-10.17, RUN-10.18
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
