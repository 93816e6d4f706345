import { describe, expect, test } from "vitest";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import { turnEventKinds, turnEventSchema } from "./turn-event.ts";

const event = { ts: 1767323045.678, kind: "llm_req", data: { step: 1 } };

describe("a line of a turn's log", () => {
  keepsItsShape("event", turnEventSchema, event);

  // proves LIVE-1.1, LIVE-6.3, LIVE-6.5, LIVE-6.6, LIVE-6.7, LIVE-6.8, LIVE-6.9, LIVE-6.10, LIVE-6.11, LIVE-6.12, LIVE-6.13, LIVE-6.16
  test("is of one of the source's kinds, or of three that were added", () => {
    expect(turnEventKinds.toSorted()).toStrictEqual(
      [
        "llm_req",
        "llm_stream",
        "llm_done",
        "notes_patch",
        "actions",
        "retrieval",
        "tool_plan",
        "tool_start",
        "tool_done",
        "action_refused",
        "condense",
        "grant",
      ].toSorted(),
    );
    expect(turnEventSchema.safeParse({ ...event, kind: "llm" }).success).toBe(false);
  });

  // proves LIVE-6.2, LIVE-6.4
  test("has a number for its time and an object for its data", () => {
    expect(
      acceptedBy(turnEventSchema.shape.ts, [0, 1.5, -1, "1", "2026-01-02T03:04:05Z", null]),
    ).toStrictEqual([0, 1.5]);
    expect(acceptedBy(turnEventSchema.shape.data, [{}, { a: 1 }, [], "a", null])).toStrictEqual([
      {},
      { a: 1 },
    ]);
  });
});
