// The table of child-states.ts against real families: every entry is taken by some child, and nothing else is ever written.
import { InvalidTransitionError, type RunId } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { familyStories } from "../../test-data/family-stories.ts";
import { allRows, familyRows, joined, type TakenRows } from "../../test-data/taken-rows.ts";
import { problemsOf, verifyAccount } from "../journal/verify-account.ts";
import { type ChildPhase, type ChildShape, childrenAfter, childTransitions } from "./child-states.ts";

const seen: TakenRows[] = [];

describe("a family takes what its story says, and leaves a journal that is whole:", () => {
  test.each(familyStories)("$story", async ({ takes, play }) => {
    const desk = await play();
    const taken = await familyRows(desk);
    await desk.runs.close();
    seen.push(taken);
    expect([...taken.rows, ...taken.children]).toEqual(expect.arrayContaining([...takes]));
    expect(problemsOf(await verifyAccount(desk.store.inner, "acct_1"))).toStrictEqual([]);
  });
});

test("every entry of the children's table is taken by some child, and no child takes another", () => {
  expect([...joined(seen).children].toSorted()).toStrictEqual([...allRows.children].toSorted());
});

type Kind = keyof typeof childTransitions;

const childRunId = "run_0190bbbb" as RunId;
const depth = { currentDepth: 0, maxDepth: 1, maxChildren: 4 };
const phases: readonly (ChildPhase | undefined)[] = [
  undefined,
  "running",
  "resting",
  "asking",
  "detaching",
  "detached",
  "ended",
];

function childIn(phase: ChildPhase | undefined, more: Partial<ChildShape> = {}) {
  const child = { call: undefined, isCancelling: false, children: 1, ...more };
  return new Map(phase === undefined ? [] : [[childRunId, { ...child, phase }]]);
}

/** What is said of a child at a point, and where it stands then; `refused`, where that cannot be said. */
function after(kind: Kind, phase: ChildPhase | undefined, body: object = {}, more: Partial<ChildShape> = {}) {
  const said = { childRunId, type: "message", reserved: { children: 1 }, spent: { children: 1 }, ...body };
  const given = { kind, body: { depth: { ...depth, currentDepth: 1 }, ...said } };
  try {
    return childrenAfter(childIn(phase, more), given, depth).get(childRunId)?.phase;
  } catch (error) {
    const isRefusal =
      error instanceof InvalidTransitionError && error.details?.reason === "impossible_record";
    if (isRefusal) return "refused";
    throw error;
  }
}

// proves CHILD-16.9, CHILD-16.21
test("B22: what the children's table does not have is refused, whatever the record says", () => {
  const taken = (Object.keys(childTransitions) as Kind[]).map((kind) => [
    kind,
    phases.filter((phase) => after(kind, phase) !== "refused"),
  ]);
  expect(taken).toStrictEqual(Object.entries(childTransitions));
});

test("a child that was told to stop is not told so again, nor let go, and one that asks asks once", () => {
  const stopped = { isCancelling: true };
  const asks = { type: "clarification" };
  const running: readonly ChildPhase[] = ["running", "resting", "asking"];
  expect(running.map((phase) => after("subagent.cancelling", phase))).toStrictEqual(running);
  expect(running.map((phase) => after("subagent.cancelling", phase, {}, stopped))).toStrictEqual([
    "refused",
    "refused",
    "refused",
  ]);
  expect(running.map((phase) => after("subagent.detaching", phase, {}, stopped))).toStrictEqual([
    "refused",
    "refused",
    "refused",
  ]);
  expect(running.map((phase) => after("subagent.message", phase, asks))).toStrictEqual([
    "asking",
    "refused",
    "refused",
  ]);
  expect(running.map((phase) => after("subagent.message", phase))).toStrictEqual([
    "running",
    "resting",
    "running",
  ]);
});

// proves CHILD-10.16
test("S2: a child that is too deep, one too many, or that counts for more than was set aside is none", () => {
  const deep = (currentDepth: number) => ({ depth: { ...depth, currentDepth } });
  expect([0, 1, 2].map((one) => after("subagent.started", undefined, deep(one)))).toStrictEqual([
    "refused",
    "running",
    "refused",
  ]);
  const counted = (children: number) => ({ reserved: { children }, spent: { children } });
  expect([0, 1, 4, 5].map((one) => after("subagent.started", undefined, counted(one)))).toStrictEqual([
    "refused",
    "running",
    "running",
    "refused",
  ]);
  const two = { children: 2 };
  expect([0, 1, 2, 3].map((one) => after("subagent.ended", "running", counted(one), two))).toStrictEqual([
    "refused",
    "ended",
    "ended",
    "refused",
  ]);
});
