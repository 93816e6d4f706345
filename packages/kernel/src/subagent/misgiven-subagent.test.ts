import { describe, expect, test } from "vitest";
import { subagent } from "./subagent.ts";

const spec = { name: "researcher", objective: "Find what was decided." };

describe("what bounds a subagent is not ignored where it is misspelt:", () => {
  test.each<[object | undefined, string]>([
    [{ ...spec, policys: {} }, "unknown option of a subagent policys; did you mean policy?"],
    [{ ...spec, budgets: { maxSteps: 1 } }, "unknown option of a subagent budgets; did you mean budget?"],
    [{ ...spec, model: {} }, "subagent researcher: its model is its parent's, or one that its route names"],
    [undefined, "each option of a subagent stands in an object"],
  ])("%j", (given, message) => {
    expect(() => subagent(given as typeof spec)).toThrow(message);
  });
});

test("a bound of its policy that is hidden is not lost", () => {
  const policy = Object.defineProperty({}, "denyTools", { value: ["notes.write"] });
  expect(() => subagent({ ...spec, policy })).toThrow("not JSON at /denyTools: it is not enumerable");
});
