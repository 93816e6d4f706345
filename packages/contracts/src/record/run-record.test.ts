import { describe, expect, test } from "vitest";
import { digestOf } from "../../test-data/samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import { keptRunErrandSchema, runErrandSchema, runRecords } from "./run-record.ts";
import { subagentRecords } from "./subagent-record.ts";

const by = { accountId: "acct_1", keyId: "key_1", scopes: ["read"], kind: "key", runId: "run_0190aaaa" };
const content = { ref: "content_0190aaaa-input", digest: digestOf("c") };
const error = { code: "cancelled", message: content, reason: "why" };
const placed = { v: 1, seq: 2, prev: digestOf("a"), ts: "2026-01-02T03:04:05.000Z", runId: "run_0190aaaa" };
const attempt = { ...placed, stepId: "step_0190aaaa-1", attempt: 1 };
const spent = { steps: 1, inputTokens: 10, outputTokens: 5, usd: 0.1 };

/** One of each, whole. */
const samples: Readonly<Record<string, Record<string, unknown>>> = {
  "run.opened": {
    ...placed,
    kind: "run.opened",
    stream: "run_0190aaaa",
    accountId: "acct_1",
    redactionVersion: 1,
    manifestDigest: digestOf("b"),
    traceId: "0190aaaabbbbccccddddeeeeffff0000",
    agentId: "scribe",
    starter: by,
    principal: { ...by, kind: "run" },
    origin: "model",
    policyDigest: digestOf("d"),
    ports: ["pre_tool", "post_tool", "starter"],
    strategy: { type: "bounded_concurrent", maxInFlight: 2 },
    packageFingerprint: `sha256:runtime-package-canonical-v1:${"e".repeat(64)}`,
    sessionId: "session-1",
    previous: "run_0190aaaa",
    shown: ["notes.write"],
    parent: { runId: "run_0190bbbb", mayAsk: true },
    depth: { currentDepth: 1, maxDepth: 2, maxChildren: 3 },
    input: content,
  },
  "run.resumed": { ...placed, kind: "run.resumed" },
  "model.intended": {
    ...attempt,
    passedMs: 700,
    kind: "model.intended",
    step: 1,
    model: "scripted",
    messages: 2,
    told: content,
    reserved: spent,
  },
  "model.settled": {
    ...attempt,
    kind: "model.settled",
    status: "completed",
    output: content,
    calls: [{ callId: "call_0190aaaa-1-1", tool: "notes.write" }],
    spent,
    durationMs: 3,
    error,
  },
  "context.condensed": {
    ...placed,
    kind: "context.condensed",
    stepId: "step_0190aaaa-1",
    messages: 12,
    answerChars: 400,
    tokens: 9000,
    limit: 8000,
    output: content,
  },
  "call.revised": {
    ...placed,
    kind: "call.revised",
    callId: "call_0190aaaa-1-1",
    tool: "notes.write",
    by: [{ id: "tidy", version: "1" }],
    input: content,
    output: content,
  },
  "budget.overrun": { ...placed, kind: "budget.overrun", stepId: "step_0190aaaa-1", reserved: spent, spent },
  "run.asked": { ...placed, kind: "run.asked", messageId: "msg_0190aaaa-1", output: content },
  "run.told": {
    ...placed,
    kind: "run.told",
    messageId: "msg_0190bbbb",
    replyTo: "msg_0190aaaa-1",
    input: content,
  },
  "run.owned": { ...placed, kind: "run.owned", owner: "host" },
  "run.cancelling": { ...placed, kind: "run.cancelling", by },
  "run.ended": {
    ...placed,
    kind: "run.ended",
    status: "completed",
    output: content,
    error,
    spent,
    spentOn: [{ what: "model scripted", spent }],
  },
};
const optional: Readonly<Record<string, readonly string[]>> = {
  "run.opened": ["sessionId", "previous", "shown", "parent", "depth"],
  "model.intended": ["passedMs", "told"],
  "context.condensed": ["answerChars"],
  "model.settled": ["output", "error"],
  "run.told": ["replyTo"],
  "run.ended": ["output", "error"],
};
const recordOf = (kind: string) => {
  const schema = runRecords.find(({ shape }) => shape.kind.value === kind);
  if (schema === undefined) throw new Error(`there is no ${kind}`);
  return schema;
};

type Schema = Parameters<typeof acceptedBy>[0];
const fieldOf = (kind: string, field: string) =>
  (recordOf(kind).shape as unknown as Record<string, Schema>)[field] as Schema;

describe("what a run's own stream says", () => {
  test("is these records, those of its children, and no others", () => {
    const ofChildren = subagentRecords.map(({ shape }) => shape.kind.value as string);
    const kinds = runRecords.map(({ shape }) => shape.kind.value);
    expect(kinds.filter((kind) => !ofChildren.includes(kind))).toStrictEqual(Object.keys(samples));
    expect(kinds.filter((kind) => ofChildren.includes(kind))).toStrictEqual(ofChildren);
  });

  for (const [kind, sample] of Object.entries(samples))
    keepsItsShape(kind, recordOf(kind), sample, { optional: optional[kind] ?? [] });
});

describe("B22: what nobody could have written is refused:", () => {
  test("a run that ends in no way that a run ends", () => {
    const said = ["completed", "blocked", "failed", "cancelled", "waiting", "recovery_needed", "", null];
    expect(acceptedBy(fieldOf("run.ended", "status"), said)).toStrictEqual([
      "completed",
      "blocked",
      "failed",
      "cancelled",
    ]);
  });

  test("a port that there is not", () => {
    const said = [[], ["pre_tool"], ["pre_tool", "starter"], ["evaluatePreTool"], "pre_tool", null];
    expect(acceptedBy(fieldOf("run.opened", "ports"), said)).toStrictEqual([
      [],
      ["pre_tool"],
      ["pre_tool", "starter"],
    ]);
  });

  test("an owner that there is not", () => {
    const said = ["parent", "host", "operator", "run_0190bbbb", "", null];
    expect(acceptedBy(fieldOf("run.owned", "owner"), said)).toStrictEqual(["parent", "host"]);
  });

  test("a parent of which nobody says whether it may be asked, or that is no run", () => {
    const parent = { runId: "run_0190bbbb", mayAsk: false };
    const others = [
      { runId: "run_0190bbbb" },
      { ...parent, runId: "call_0190bbbb" },
      { ...parent, mayAsk: "yes" },
      { ...parent, more: 1 },
      "run_0190bbbb",
      null,
    ];
    expect(acceptedBy(fieldOf("run.opened", "parent"), [parent, ...others])).toStrictEqual([parent]);
  });

  test("a message that has no name of its own", () => {
    const said = ["msg_0190aaaa", "msg_1", "call_0190aaaa", "0190aaaa", "", null];
    for (const kind of ["run.asked", "run.told"])
      expect(acceptedBy(fieldOf(kind, "messageId"), said)).toStrictEqual(["msg_0190aaaa"]);
  });

  test("a time between two records that is none", () => {
    const said = [undefined, 0, 700, -1, 0.5, Number.POSITIVE_INFINITY, "700", null];
    expect(acceptedBy(fieldOf("model.intended", "passedMs"), said)).toStrictEqual([undefined, 0, 700]);
  });

  test("an attempt or a step that is the zeroth", () => {
    for (const field of ["step", "attempt"])
      expect(acceptedBy(fieldOf("model.intended", field), [1, 2, 0, -1, 1.5, "1"])).toStrictEqual([1, 2]);
  });
});

describe("what somebody wants of a run", () => {
  const cancel = { type: "cancel", by };
  const resolve = { type: "resolve", by, effectId: "eff_0190aaaa", status: "completed", note: "seen" };

  test("is to stop it, or to say what became of an effect", () => {
    const others = [
      { type: "approve", by },
      { ...cancel, by: undefined },
      { ...cancel, reason: "why" },
      { ...resolve, status: "unknown" },
      { ...resolve, note: "x".repeat(2001) },
      { ...resolve, effectId: "x" },
    ];
    expect(acceptedBy(runErrandSchema, [cancel, resolve, ...others])).toStrictEqual([cancel, resolve]);
  });

  test("is kept with a proof", () => {
    const kept = { value: cancel, proof: "proof" };
    const others = [{ value: cancel }, { ...kept, more: 1 }, cancel];
    expect(acceptedBy(keptRunErrandSchema, [kept, ...others])).toStrictEqual([kept]);
  });
});
