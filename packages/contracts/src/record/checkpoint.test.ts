import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkpointWire } from "../../test-data/samples.ts";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { keepsItsShape } from "../../test-data/strict-record.ts";
import { InvalidInputError } from "../error/error-classes.ts";
import {
  type Checkpoint,
  chatMessageSchema,
  checkpointWireSchema,
  decodeCheckpoint,
  encodeCheckpoint,
} from "./checkpoint.ts";

const inside = {
  sessionId: "session-1",
  revision: 7,
  updatedTs: 1767323045.678,
  state: {
    goals: ["watch the world"],
    openLoops: ["who answers"],
    decisions: ["wait"],
    constraints: ["spend nothing"],
    episodeSummary: "It was quiet.",
    memoryTags: ["fed"],
    memoryRefs: ["mem_1"],
    capabilitiesGranted: ["net:huggingface.co"],
    capabilitiesPending: ["net"],
  },
  recentMessages: [
    { role: "system", content: "Be brief." },
    { role: "tool", content: "{}" },
  ],
  traceTail: ["trace-1.jsonl"],
} as Checkpoint;

// proves LIVE-11.2, LIVE-11.3, LIVE-11.4, LIVE-11.5, LIVE-11.6, LIVE-11.7, LIVE-11.8, LIVE-11.9, LIVE-11.10, LIVE-12.2, LIVE-12.3, LIVE-12.4, LIVE-12.5, LIVE-12.6, LIVE-12.8, LIVE-13.6
describe("on the wire", () => {
  keepsItsShape("checkpoint", checkpointWireSchema, checkpointWire, { optional: ["trace_tail"] });
  keepsItsShape("state", checkpointWireSchema.shape.state, checkpointWire.state);
  keepsItsShape("message", chatMessageSchema, { role: "user", content: "hello" });

  // proves LIVE-1.1, LIVE-11.20
  test("a checkpoint has exactly the source's keys, in snake_case", () => {
    const wire = encodeCheckpoint(inside);
    expect(wire).toStrictEqual(checkpointWire);
    expect(Object.keys(wire)).toStrictEqual([
      "session_id",
      "revision",
      "updated_ts",
      "state",
      "recent_messages",
      "trace_tail",
    ]);
    expect(Object.keys(wire.state)).toStrictEqual([
      "goals",
      "open_loops",
      "decisions",
      "constraints",
      "episode_summary",
      "memory_tags",
      "memory_refs",
      "capabilities_granted",
      "capabilities_pending",
    ]);
  });

  test("camelCase is an unknown key, with the right one suggested", () => {
    const { session_id: sessionId, ...rest } = checkpointWire;
    expect(refusalOf(() => decodeCheckpoint({ ...rest, sessionId })).message).toBe(
      "invalid checkpoint: /session_id: missing; expected string; " +
        'unknown key "sessionId"; did you mean "session_id"?',
    );
  });

  // proves LIVE-13.1, LIVE-13.2, LIVE-13.3, LIVE-13.4, LIVE-13.5
  test("a message is of a known role", () => {
    expect(chatMessageSchema.shape.role.options).toStrictEqual(["system", "user", "assistant", "tool"]);
  });

  // proves LIVE-11.2, LIVE-11.3, LIVE-11.4, LIVE-11.5, LIVE-11.7, LIVE-11.8, LIVE-11.9, LIVE-11.10, LIVE-11.13
  test("every list of a state holds texts, and nothing else", () => {
    const lists = Object.entries(checkpointWire.state).filter(([, value]) => Array.isArray(value));
    expect(lists).toHaveLength(8);
    for (const [key] of lists)
      for (const value of [[1], [null], [["a"]], "a", {}, null]) {
        const error = refusalOf(() =>
          decodeCheckpoint({ ...checkpointWire, ...withState({ [key]: value }) }),
        );
        expect(error.details?.path).toMatch(new RegExp(`^/state/${key}(?:/0)?$`));
      }
  });

  // proves LIVE-11.6, LIVE-12.2, LIVE-12.3, LIVE-12.4, LIVE-12.8, LIVE-13.1
  test("lists hold texts only, a revision is whole, a time is no date", () => {
    const wrong: [path: string, changes: object][] = [
      ["/state/goals/0", withState({ goals: [1] })],
      ["/state/goals", withState({ goals: "watch" })],
      ["/state/episode_summary", withState({ episode_summary: null })],
      ["/revision", { revision: -1 }],
      ["/revision", { revision: 1.5 }],
      ["/updated_ts", { updated_ts: "2026-01-02T03:04:05Z" }],
      ["/session_id", { session_id: "" }],
      ["/recent_messages/0/role", { recent_messages: [{ role: "developer", content: "" }] }],
      ["/trace_tail/0", { trace_tail: [{}] }],
    ];
    for (const [path, changes] of wrong) {
      const error = refusalOf(() => decodeCheckpoint({ ...checkpointWire, ...changes }));
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(error.details?.path).toBe(path);
    }
  });
});

describe("the codec", () => {
  // proves LIVE-11.20
  test("gives camelCase inside, frozen", () => {
    const decoded = decodeCheckpoint(checkpointWire);
    expect(decoded).toStrictEqual(inside);
    expect([decoded, decoded.state, decoded.state.goals, decoded.recentMessages].every(Object.isFrozen)).toBe(
      true,
    );
  });

  const texts = fc.array(fc.string({ unit: "grapheme" }), { maxLength: 4 });
  const arbitraryWire = fc
    .record(
      {
        session_id: fc.string({ minLength: 1 }),
        revision: fc.nat(),
        updated_ts: fc.double({ min: 0, max: 4e9, noNaN: true }).map((seconds) => seconds + 0),
        state: fc.record({
          goals: texts,
          open_loops: texts,
          decisions: texts,
          constraints: texts,
          episode_summary: fc.string({ unit: "grapheme" }),
          memory_tags: texts,
          memory_refs: texts,
          capabilities_granted: texts.map((names) => names.map((name) => `granted ${name}`)),
          capabilities_pending: texts.map((names) => names.map((name) => `pending ${name}`)),
        }),
        recent_messages: fc.array(
          fc.record({ role: fc.constantFrom("system", "user", "assistant", "tool"), content: fc.string() }),
          { maxLength: 3 },
        ),
        trace_tail: texts,
      },
      { requiredKeys: ["session_id", "revision", "updated_ts", "state", "recent_messages"] },
    )
    // JSON has no minus zero.
    .map((wire) => JSON.parse(JSON.stringify(wire)) as unknown);

  test("loses nothing, there and back, for any checkpoint", () => {
    fc.assert(
      fc.property(arbitraryWire, (wire) => {
        const decoded = decodeCheckpoint(wire);
        expect(encodeCheckpoint(decoded)).toStrictEqual(wire);
        expect(decodeCheckpoint(encodeCheckpoint(decoded))).toStrictEqual(decoded);
      }),
    );
  });

  // proves LIVE-11.14
  test("refuses a capability that is both granted and pending, both ways", () => {
    const state = { ...checkpointWire.state, capabilities_pending: ["net:huggingface.co"] };
    const both = { ...inside, state: { ...inside.state, capabilitiesPending: ["net:huggingface.co"] } };
    for (const act of [() => decodeCheckpoint({ ...checkpointWire, state }), () => encodeCheckpoint(both)]) {
      const error = refusalOf(act);
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(error.message).toBe(
        "invalid checkpoint: /state/capabilities_pending: a capability that is granted cannot be pending",
      );
    }
  });

  test("does not let an unknown key out either", () => {
    const error = refusalOf(() => encodeCheckpoint({ ...inside, mood: "good" } as Checkpoint));
    expect(error.message).toBe('invalid checkpoint: unknown key "mood"');
  });
});

function withState(changes: object): object {
  return { state: { ...checkpointWire.state, ...changes } };
}
