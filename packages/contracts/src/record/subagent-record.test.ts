import { describe, expect, test } from "vitest";
import { digestOf, handoffAudit, principal as by, spent } from "../../test-data/samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import { journalRecordSchema } from "./journal-record.ts";
import { handoffAuditSchema, subagentRecords } from "./subagent-record.ts";

const content = { ref: "content_0190aaaa-input", digest: digestOf("c") };
const placed = { v: 1, seq: 2, prev: digestOf("a"), ts: "2026-01-02T03:04:05.000Z" };
const child = { ...placed, runId: "run_0190aaaa", childRunId: "run_0190bbbb" };
const head = { seq: 7, hash: digestOf("8") };
const approval = { approvalId: "appr_0190aaaa", status: "pending", expiresAt: "2026-01-02T04:04:05.000Z" };

/** One of each, whole. */
const samples: Readonly<Record<string, Record<string, unknown>>> = {
  "subagent.started": {
    ...child,
    kind: "subagent.started",
    subagent: "subagent.reader",
    agentId: "subagent.reader",
    mode: "wait",
    call: "call_0190aaaa-1-1",
    by,
    packageFingerprint: `sha256:runtime-package-canonical-v1:${"e".repeat(64)}`,
    stripManifest: digestOf("d"),
    depth: { currentDepth: 1, maxDepth: 2, maxChildren: 3 },
    reserved: spent,
    handoff: handoffAudit,
    told: content,
    summary: content,
    input: content,
  },
  "subagent.message": {
    ...child,
    kind: "subagent.message",
    messageId: "msg_0190bbbb",
    type: "reply",
    replyTo: "msg_0190aaaa-1",
    call: "call_0190aaaa-1-1",
    output: content,
  },
  "subagent.rested": {
    ...child,
    kind: "subagent.rested",
    approvals: [approval],
    unknown: ["eff_0190aaaa"],
  },
  "subagent.woken": { ...child, kind: "subagent.woken" },
  "subagent.cancelling": { ...child, kind: "subagent.cancelling", by },
  "subagent.ended": {
    ...child,
    kind: "subagent.ended",
    status: "failed",
    head,
    spent,
    overrun: true,
    error: { code: "provider_failed", message: content, reason: "why" },
    output: content,
  },
  "subagent.detaching": { ...child, kind: "subagent.detaching", by, note: content },
  "subagent.detached": { ...child, kind: "subagent.detached", acknowledgedBy: by },
  "subagent.reclaimed": { ...child, kind: "subagent.reclaimed", by },
};
const optional: Readonly<Record<string, readonly string[]>> = {
  "subagent.started": ["call", "told", "summary"],
  "subagent.message": ["replyTo", "call"],
  "subagent.ended": ["head", "overrun", "error", "output"],
};
const recordOf = (kind: string) => {
  const schema = subagentRecords.find(({ shape }) => shape.kind.value === kind);
  if (schema === undefined) throw new Error(`there is no ${kind}`);
  return schema;
};

type Schema = Parameters<typeof acceptedBy>[0];
const fieldOf = (kind: string, field: string) =>
  (recordOf(kind).shape as unknown as Record<string, Schema>)[field] as Schema;

describe("what a parent's stream says of a child", () => {
  // proves CHILD-16.14
  test("is these records and no others, and a journal takes them", () => {
    expect(subagentRecords.map(({ shape }) => shape.kind.value)).toStrictEqual(Object.keys(samples));
    expect(acceptedBy(journalRecordSchema, Object.values(samples))).toStrictEqual(Object.values(samples));
  });

  for (const [kind, sample] of Object.entries(samples))
    keepsItsShape(kind, recordOf(kind), sample, { optional: optional[kind] ?? [] });

  keepsItsShape("what was handed over", handoffAuditSchema, handoffAudit, { optional: ["policyRef"] });
});

describe("B22: what nobody could have written is refused:", () => {
  test("a mode that there is not", () => {
    const said = ["wait", "background", "detached", "", null];
    expect(acceptedBy(fieldOf("subagent.started", "mode"), said)).toStrictEqual(["wait", "background"]);
  });

  test("a message of a type that there is not", () => {
    const said = ["message", "clarification", "reply", "ask", "", null];
    expect(acceptedBy(fieldOf("subagent.message", "type"), said)).toStrictEqual([
      "message",
      "clarification",
      "reply",
    ]);
  });

  test("a child that ended in no way that a run ends", () => {
    const said = ["completed", "blocked", "failed", "cancelled", "detached", "resting", "ended", "", null];
    expect(acceptedBy(fieldOf("subagent.ended", "status"), said)).toStrictEqual([
      "completed",
      "blocked",
      "failed",
      "cancelled",
    ]);
  });

  test("a child whose stream ends at a place where nothing is", () => {
    const said = [head, { ...head, seq: 0 }, { ...head, hash: "" }, { seq: 7 }, {}, null];
    expect(acceptedBy(fieldOf("subagent.ended", "head"), said)).toStrictEqual([head]);
  });

  test("a handoff that there is not, or of less than nothing", () => {
    const { variant, messages } = handoffAuditSchema.shape;
    const said = [
      "none",
      "summary_only",
      "selected_refs",
      "full_history_with_policy",
      "everything",
      "",
      null,
    ];
    expect(acceptedBy(variant, said)).toStrictEqual(said.slice(0, 4));
    expect(acceptedBy(messages, [0, 1, -1, 0.5, "1", null])).toStrictEqual([0, 1]);
  });

  test("a child that is no run, of a call that is none", () => {
    const runs = ["run_0190bbbb", "call_0190bbbb", "run_1", "", null];
    for (const kind of Object.keys(samples))
      expect(acceptedBy(fieldOf(kind, "childRunId"), runs)).toStrictEqual(["run_0190bbbb"]);
    const calls = ["call_0190aaaa-1-1", "run_0190bbbb", "", null];
    for (const kind of ["subagent.started", "subagent.message"])
      expect(acceptedBy(fieldOf(kind, "call"), calls)).toStrictEqual(["call_0190aaaa-1-1"]);
  });

  test("a child at a depth, or with children, that cannot be counted", () => {
    const depth = { currentDepth: 1, maxDepth: 2, maxChildren: 3 };
    const others = [
      { ...depth, currentDepth: -1 },
      { ...depth, maxDepth: 1.5 },
      { ...depth, maxChildren: "3" },
      { currentDepth: 1, maxDepth: 2 },
      null,
    ];
    expect(acceptedBy(fieldOf("subagent.started", "depth"), [depth, ...others])).toStrictEqual([depth]);
  });
});
