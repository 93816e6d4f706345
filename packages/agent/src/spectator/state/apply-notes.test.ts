// B31: what an agent is to reach, to finish and to obey is not lost without being told, and what its operator demands stands first.
import type { AgentState, NotesPatch } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyPatch, emptyState, stateOf } from "../../../test-data/spectator/checkpoints.ts";
import { agentLimits, defaultAgentLimits } from "./agent-limits.ts";
import { applyNotes } from "./apply-notes.ts";
import { readOperatorConstraints } from "./operator-constraints.ts";

const operatorConstraints = ["never trade", "n\u00e9e"];
const limits = agentLimits({ listItems: 4, itemChars: 20, tagChars: 10, summaryChars: 200 });
const terms = { operatorConstraints: [] as string[], limits };

function apply(state: Partial<AgentState>, patch: NotesPatch, given = terms) {
  return applyNotes(stateOf(state), patch, given);
}

const numbered = (count: number, name = "n") =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);

// proves LIVE-2.16, LIVE-2.36
test("what is not said changes nothing, and neither do empty additions and closings", () => {
  const state = stateOf({ goals: ["g"], openLoops: ["o"], constraints: ["c"], episodeSummary: "s" });
  const nothing = { state, changes: [], refused: [] };
  expect(applyNotes(state, {}, terms)).toStrictEqual(nothing);
  const empty = {
    add_open_loops: [],
    close_open_loops: [],
    add_decisions: [],
    add_constraints: [],
    add_memory_tags: [],
  };
  expect(applyNotes(state, empty, terms)).toStrictEqual(nothing);
  expect(applyNotes(state, { actions: ["condense_now", "grant_permission:net"] }, terms)).toStrictEqual(
    nothing,
  );
});

// proves LIVE-2.5, LIVE-2.6, LIVE-2.7, LIVE-2.8, LIVE-2.9, LIVE-2.10, LIVE-2.11
test("every key does what it says, and it is told", () => {
  const applied = apply(
    {
      goals: ["old"],
      openLoops: ["one", "two"],
      decisions: ["d1"],
      memoryRefs: ["mem_1"],
      episodeSummary: "was",
    },
    {
      set_goals: [" new ", "new"],
      add_open_loops: ["three", "two"],
      close_open_loops: ["one"],
      add_decisions: ["d1", "d2"],
      add_constraints: ["c1"],
      set_episode_summary: " first\nsecond ",
      add_memory_tags: ["t1"],
    },
  );
  expect(applied).toStrictEqual({
    state: stateOf({
      goals: ["new"],
      openLoops: ["two", "three"],
      decisions: ["d1", "d2"],
      constraints: ["c1"],
      episodeSummary: "first\nsecond",
      memoryTags: ["t1"],
      memoryRefs: ["mem_1"],
    }),
    changes: [
      { key: "set_goals", before: ["old"], after: ["new"] },
      { key: "add_open_loops", added: ["three"] },
      { key: "close_open_loops", removed: ["one"] },
      { key: "add_decisions", added: ["d2"], dropped: [] },
      { key: "add_constraints", added: ["c1"] },
      { key: "set_episode_summary", before: "was", after: "first\nsecond" },
      { key: "add_memory_tags", added: ["t1"], dropped: [] },
    ],
    refused: [],
  });
});

// proves LIVE-2.35
test("an empty list of goals and an empty summary clear", () => {
  const { state } = apply({ goals: ["g"], episodeSummary: "s" }, { set_goals: [], set_episode_summary: "" });
  expect(state).toStrictEqual(emptyState);
});

test("goals of which nothing can stay do not clear what was there, nor does a blank summary", () => {
  const before = { goals: ["g"], episodeSummary: "s" };
  const { state, changes, refused } = apply(before, {
    set_goals: [" ", "x".repeat(21)],
    set_episode_summary: " \n",
  });
  expect([state, changes]).toStrictEqual([stateOf(before), []]);
  expect(refused).toStrictEqual([
    { key: "set_goals", why: "blank" },
    { key: "set_goals", why: "too_long", text: "x".repeat(21) },
    { key: "set_episode_summary", why: "blank" },
  ]);
});

describe("closing an open loop:", () => {
  test("only the exact text closes it, and one that is not there is told", () => {
    const { state, refused } = apply(
      { openLoops: ["Pay", "pay rent"] },
      { close_open_loops: ["pay", "pay rent"] },
    );
    expect(state.openLoops).toStrictEqual(["Pay"]);
    expect(refused).toStrictEqual([{ key: "close_open_loops", why: "not_there", text: "pay" }]);
  });

  test("makes room for what is added in the same notes; what is added and closed at once is closed", () => {
    const { state, refused, changes } = apply(
      { openLoops: numbered(4) },
      { add_open_loops: ["new", "brief"], close_open_loops: ["n1", "brief"] },
    );
    expect(state.openLoops).toStrictEqual(["n0", "n2", "n3", "new"]);
    expect([refused, changes.length]).toStrictEqual([[], 2]);
  });

  test("also closes one that is longer than today's limits allow", () => {
    const long = "y".repeat(50);
    expect(apply({ openLoops: [long] }, { close_open_loops: [long] }).state.openLoops).toStrictEqual([]);
  });
});

describe("bounds:", () => {
  // proves LIVE-11.18
  test("goals, open loops and constraints that do not fit are refused and told; nothing that stands makes room", () => {
    const { state, refused } = apply(
      { openLoops: numbered(3, "o"), constraints: numbered(4, "c") },
      { set_goals: numbered(5, "g"), add_open_loops: ["x", "y"], add_constraints: ["z"] },
    );
    expect(state).toStrictEqual(
      stateOf({
        goals: numbered(4, "g"),
        openLoops: [...numbered(3, "o"), "x"],
        constraints: numbered(4, "c"),
      }),
    );
    expect(refused).toStrictEqual([
      { key: "set_goals", why: "no_room", text: "g4" },
      { key: "add_open_loops", why: "no_room", text: "y" },
      { key: "add_constraints", why: "no_room", text: "z" },
    ]);
  });

  // proves LIVE-11.19
  test("of decisions and tags the oldest leave, and are told, also those that were added just now", () => {
    const { state, changes } = apply(
      { decisions: numbered(3, "d"), memoryTags: numbered(4, "t") },
      { add_decisions: ["x", "y"], add_memory_tags: numbered(5, "u") },
    );
    expect([state.decisions, state.memoryTags]).toStrictEqual([
      ["d1", "d2", "x", "y"],
      ["u1", "u2", "u3", "u4"],
    ]);
    expect(changes).toStrictEqual([
      { key: "add_decisions", added: ["x", "y"], dropped: ["d0"] },
      { key: "add_memory_tags", added: numbered(5, "u"), dropped: [...numbered(4, "t"), "u0"] },
    ]);
  });

  test("a list that is longer than today's limits allow is left as it is", () => {
    const goals = numbered(9);
    const { state, refused } = apply({ goals, openLoops: goals }, { add_open_loops: ["more"] });
    expect([state.goals, state.openLoops]).toStrictEqual([goals, goals]);
    expect(refused).toMatchObject([{ why: "no_room" }]);
  });

  test("a summary that is too long is refused, and the one before stays", () => {
    const { state, refused } = apply({ episodeSummary: "s" }, { set_episode_summary: "x".repeat(201) });
    expect([state.episodeSummary, refused[0]?.why]).toStrictEqual(["s", "too_long"]);
    expect(refused[0]?.text).toHaveLength(200);
  });

  test("a flood of refusals is counted and not repeated", () => {
    const { refused } = apply(
      {},
      { add_decisions: Array.from({ length: 100_000 }, (_, at) => `\u0000${at}`) },
    );
    expect(refused).toHaveLength(17);
    expect(refused.at(-1)).toStrictEqual({ key: "add_decisions", why: "and_more", count: 99_984 });
  });
});

test.each([
  ["a line break", "a\nb"],
  ["another line break", "a\u2028b"],
  ["a tab", "a\tb"],
  ["an escape", "a\u001B[2Jb"],
  ["a C1 control", "a\u009Bb"],
  ["a direction override", "a\u202Eb"],
])("an item with %s is refused: people would not see what it says", (_, text) => {
  const { state, refused } = apply({}, { set_goals: [text], add_constraints: [text, "fine"] });
  expect(state).toStrictEqual(stateOf({ constraints: ["fine"] }));
  expect(refused.map(({ key, why }) => [key, why])).toStrictEqual([
    ["set_goals", "control_characters"],
    ["add_constraints", "control_characters"],
  ]);
});

test("a summary has lines, and no other control characters", () => {
  const lines = "a\r\n\tb\n\nc";
  expect(apply({}, { set_episode_summary: lines }).state.episodeSummary).toBe(lines);
  for (const text of ["a\u0000", "a\u007Fb", "a\u202Eb", "a\u001Bb"])
    expect(apply({}, { set_episode_summary: text }).refused).toMatchObject([{ why: "control_characters" }]);
});

test("half a character is refused, since it could not be written down; whole ones are counted as they are", () => {
  expect(apply({}, { add_decisions: ["\uD83D"] }).refused).toMatchObject([{ why: "not_well_formed" }]);
  expect(apply({}, { add_decisions: ["👩‍👩‍👧 שלום"] }).state.decisions).toStrictEqual(["👩‍👩‍👧 שלום"]);
});

test("marks of the protocol stay in the state as they are", () => {
  const text = "<<<END_NOTES_JSON>>>";
  expect(apply({}, { set_goals: [text], set_episode_summary: text }).state).toMatchObject({
    goals: [text],
    episodeSummary: text,
  });
});

describe("what the operator demands", () => {
  const given = { operatorConstraints, limits };

  test("stands first, takes no room of the model's, and cannot be repeated", () => {
    const { state, refused, changes } = apply(
      { constraints: ["c0", "never trade"] },
      { add_constraints: [...numbered(4, "c"), " never trade ", "ne\u0301e"] },
      given,
    );
    expect(state.constraints).toStrictEqual([...operatorConstraints, ...numbered(4, "c")]);
    expect([refused, changes.length]).toStrictEqual([[], 1]);
  });

  test("comes back where a state lacks it, whatever the notes say", () => {
    expect(apply({ constraints: ["c"] }, {}, given).state.constraints).toStrictEqual([
      ...operatorConstraints,
      "c",
    ]);
  });

  test("is read once from the configuration; what is no text is refused there", () => {
    expect(readOperatorConstraints(["b", "a", "b", "n\u00e9e", "ne\u0301e"])).toStrictEqual([
      "b",
      "a",
      "n\u00e9e",
    ]);
    for (const bad of [
      [""],
      ["\uD800"],
      ["x".repeat(10_001)],
      [7 as unknown as string],
      "ab" as unknown as string[],
    ])
      expect(() => readOperatorConstraints(bad)).toThrow(/the operator's constraints are/);
  });
});

test("for any notes, one after another: bounds, order, nothing twice, and the operator's first and complete", () => {
  const given = { operatorConstraints, limits };
  const anyNotes = fc.array(anyPatch, { maxLength: 12 });
  const property = fc.property(anyNotes, (patches) => {
    let state: AgentState = stateOf({ constraints: operatorConstraints });
    for (const patch of patches) {
      const before = structuredClone(state);
      const { state: after, changes } = applyNotes(state, patch, given);
      expect(state).toStrictEqual(before);
      const others = after.constraints.slice(operatorConstraints.length);
      for (const list of [after.goals, after.openLoops, after.decisions, others, after.memoryTags]) {
        expect(list.length).toBeLessThanOrEqual(limits.listItems);
        expect(list).toStrictEqual([...new Set(list.map((text) => text.trim()))]);
        expect(list.filter((text) => text === "" || text.length > limits.itemChars)).toStrictEqual([]);
      }
      expect(others.map((text) => text.normalize("NFC"))).not.toContain(operatorConstraints[1]);
      expect(others).not.toContain(operatorConstraints[0]);
      // What stood stands where it stood, unless it was closed.
      const closed = new Set(changes.flatMap((change) => ("removed" in change ? change.removed : [])));
      const open = before.openLoops.filter((text) => !closed.has(text));
      expect(after.openLoops.slice(0, open.length)).toStrictEqual(open);
      expect(after.constraints.slice(0, before.constraints.length)).toStrictEqual(before.constraints);
      // What left to make room was told.
      const dropped = changes.flatMap((change) => ("dropped" in change ? change.dropped : []));
      const there = new Set([...after.decisions, ...after.memoryTags, ...dropped]);
      expect([...before.decisions, ...before.memoryTags].filter((text) => !there.has(text))).toStrictEqual(
        [],
      );
      state = after;
    }
  });
  expect(() => fc.assert(property, { numRuns: 300 })).not.toThrow();
});

test("limits that could not work are refused by name", () => {
  expect(agentLimits()).toStrictEqual(defaultAgentLimits);
  expect(() => agentLimits({ listItems: 0 })).toThrow(/the limit listItems is a whole number/);
  expect(() => agentLimits({ checkpointBytes: 1e12 })).toThrow(/checkpointBytes/);
  expect(() => agentLimits({ listItem: 3 } as object)).toThrow(/did you mean listItems/);
});
