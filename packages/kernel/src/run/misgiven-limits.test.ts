import { expect, test } from "vitest";
import { openRunDesk, saying } from "../../test-data/run-desk.ts";

test.each<[object, string]>([
  [{ limits: { callMS: 5 } }, "unknown limit callMS; did you mean callMs?"],
  [{ limits: { policyMs: 0 } }, "limits.policyMs is not a number from 1 to"],
  [{ runLimits: { modelAttempt: 1 } }, "unknown limit of a run modelAttempt; did you mean modelAttempts?"],
])("a limit of runs that would be misread is refused when they are opened: %j", (given, message) => {
  expect(() => openRunDesk({ script: saying("done"), ...given })).toThrow(message);
});
