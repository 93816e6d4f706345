import { describe, expect, test } from "vitest";
import { digestOf, principal, signature } from "../../test-data/samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import {
  claimedCallSchema,
  journalEndSchema,
  runDocumentSchema,
  segmentSealSchema,
  unknownEffectSchema,
} from "./journal-document.ts";

const segmentSeal = { count: 3, head: digestOf("a"), sealedAt: "2026-01-02T03:04:05.000Z", signature };
const journalEnd = { segments: 2, last: "seg_0190aaaa" };
const unknownEffect = {
  effectId: "eff_0190aaaa",
  runId: "run_0190aaaa",
  callId: "call_0190aaaa",
  stream: "seg_0190aaaa",
  tool: "orders.place",
  idempotencyKey: "order 7",
  reason: "nobody saw how it ended",
  externalOperationId: "venue-7",
  reconciliationRef: "GET /orders/7",
  resolved: "completed",
};
const place = { stream: "seg_0190aaaa", seq: 2, hash: digestOf("b") };
const claimedCall = { callId: "call_0190aaaa", salt: "c2FsdA", erased: true, records: [place] };
const runDocument = {
  runId: "run_0190aaaa",
  agentId: "scribe",
  starter: principal,
  sessionId: "session-1",
  packageFingerprint: `sha256:runtime-package-canonical-v1:${"e".repeat(64)}`,
  parentRunId: "run_0190bbbb",
  startedAt: "2026-01-02T03:04:05.000Z",
  updatedAt: "2026-01-02T03:04:06.000Z",
  head: { seq: 3, hash: digestOf("c"), proof: "proof" },
  seal: segmentSeal,
};

describe("what is kept beside a journal's records", () => {
  keepsItsShape("seal", segmentSealSchema, segmentSeal, { optional: ["signature"] });
  keepsItsShape("end", journalEndSchema, journalEnd);
  keepsItsShape("unknown effect", unknownEffectSchema, unknownEffect, {
    optional: ["externalOperationId", "reconciliationRef", "resolved"],
  });
  keepsItsShape("claimed call", claimedCallSchema, claimedCall, { optional: ["salt", "erased", "records"] });
  keepsItsShape("run", runDocumentSchema, runDocument, {
    optional: ["sessionId", "parentRunId", "head", "seal"],
  });
  keepsItsShape("place", claimedCallSchema.shape.records.unwrap().element, place);
});

describe("B22: what nobody could have written is refused:", () => {
  test("a seal that counts nothing, or names an end that is none", () => {
    const counts = [1, 10_000, 0, -1, 1.5, "3", null, Number.NaN];
    expect(acceptedBy(segmentSealSchema.shape.count, counts)).toStrictEqual([1, 10_000]);
    const heads = [digestOf("0"), "", "sha256:", digestOf("A"), `${digestOf("0")}0`, 7, null];
    expect(acceptedBy(segmentSealSchema.shape.head, heads)).toStrictEqual([digestOf("0")]);
    const times = ["2026-01-02T03:04:05.000Z", "2026-01-02", "2026-01-02T03:04:05+01:00", "yesterday", 0];
    expect(acceptedBy(segmentSealSchema.shape.sealedAt, times)).toStrictEqual(["2026-01-02T03:04:05.000Z"]);
    const signatures = [signature, { ...signature, sig: "" }, { sig: "x" }, { keyId: "seat_1" }, "", null];
    expect(acceptedBy(segmentSealSchema.shape.signature, signatures)).toStrictEqual([signature]);
  });

  test("an end that counts no segments, or names no stream", () => {
    expect(acceptedBy(journalEndSchema.shape.segments, [1, 0, -1, 0.5, "1", null])).toStrictEqual([1]);
    const streams = ["seg_0190aaaa", "run_0190aaaa", "seg_1", "0190aaaa", "seg_../../etc/passwd", "", null];
    expect(acceptedBy(journalEndSchema.shape.last, streams)).toStrictEqual(["seg_0190aaaa", "run_0190aaaa"]);
  });

  test("an effect of which something else was found out than whether it happened", () => {
    const found = ["completed", "failed", "unknown", "timed_out", true, null, ""];
    const resolved = unknownEffectSchema.shape.resolved;
    expect(acceptedBy(resolved, found)).toStrictEqual(["completed", "failed"]);
  });

  test("a run that is the child of what is no run", () => {
    const parents = ["run_0190bbbb", "call_0190bbbb", "run_1", "", null];
    expect(acceptedBy(runDocumentSchema.shape.parentRunId, parents)).toStrictEqual(["run_0190bbbb"]);
  });

  test("a claimed call that has ended, without a record of it", () => {
    const lists = [[place], [place, place], [], [{ ...place, seq: 0 }], [{ ...place, hash: "" }], {}, null];
    expect(acceptedBy(claimedCallSchema.shape.records, lists)).toStrictEqual([[place], [place, place]]);
  });
});
