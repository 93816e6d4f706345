import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { newIntent, withState } from "./intent.ts";
import { type IntentState, intentStates, intentTransitions } from "./intent-states.ts";

const facts = { venue: "embedded", ticker: "RAIN", action: "buy", side: "yes", quantity: 1 } as const;
const draft = newIntent("int_00000001", facts, 1);

function errorOf(from: IntentState, to: IntentState): unknown {
  try {
    withState({ ...draft, state: from }, to, 2);
  } catch (error) {
    return error;
  }
  return undefined;
}

const pairs = intentStates.flatMap((from) => intentStates.map((to) => ({ from, to })));
const isListed = ({ from, to }: (typeof pairs)[number]) => intentTransitions[from].includes(to);

test.each(pairs.filter(isListed))("from $from to $to", ({ from, to }) => {
  expect(errorOf(from, to)).toBeUndefined();
});

test.each(pairs.filter((pair) => !isListed(pair)))(
  "never from $from to $to: a 409 that names both",
  ({ from, to }) => {
    const error = errorOf(from, to);
    expect(isSimpleFunctionsError(error) && [error.code, error.details]).toStrictEqual([
      "invalid_transition",
      { from, to },
    ]);
    expect(String(error)).toContain(`an intent that is ${from} cannot become ${to}`);
  },
);

function statesBefore(to: IntentState): IntentState[] {
  return intentStates.filter((from) => intentTransitions[from].includes(to));
}

test("only a draft, or what was stopped, is armed; only what is armed is triggered, and only what was triggered executes", () => {
  expect(intentStates.map((to) => [to, statesBefore(to)])).toStrictEqual([
    ["pending", []],
    ["armed", ["pending", "stopped"]],
    ["triggered", ["armed"]],
    ["stopped", ["armed", "triggered"]],
    ["executing", ["triggered"]],
    ["partial", ["executing"]],
    ["filled", ["executing", "partial"]],
    ["expired", ["pending", "armed", "triggered", "executing", "partial"]],
    ["cancelled", ["pending", "armed", "triggered", "stopped", "executing", "partial"]],
    ["rejected", ["executing"]],
  ]);
});

test("a step leaves what was, and adds when it came and why", () => {
  expect(withState(draft, "cancelled", 7, "enough")).toStrictEqual({
    ...draft,
    state: "cancelled",
    history: [
      { state: "pending", at: 1 },
      { state: "cancelled", at: 7, reason: "enough" },
    ],
  });
  expect(draft.state).toBe("pending");
});
