import { describe, expect, test } from "vitest";
import { principal } from "../../test-data/samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import { approvalErrandSchema, errandOutcomeSchema } from "./approval-errand.ts";

const left = { id: "errand_0190aaaa", by: principal, until: "2026-10-04T12:00:05.000Z" };
const answer = {
  ...left,
  type: "answer",
  approvalId: "appr_0190aaaa",
  answer: "approved_for_session",
  note: "this once",
  terms: { fixed: ["/venue"], maxUses: 3, forMs: 60_000 },
};

describe("an operator's word that is left for the driver", () => {
  keepsItsShape("answer", approvalErrandSchema, answer, { optional: ["note", "terms"] });
  keepsItsShape("revocation", approvalErrandSchema, { ...left, type: "revoke", grantId: "grant_0190aaaa" });
  keepsItsShape("word about an effect", approvalErrandSchema, {
    ...left,
    type: "effect",
    effectId: "eff_0190aaaa",
    status: "completed",
    note: "it is in the list",
  });

  test("B8: is one of three answers, and no other word", () => {
    const words = ["approved", "approved_for_session", "denied", "approve", "yes", "", true];
    const errands = words.map((word) => ({ ...answer, answer: word }));
    expect(acceptedBy(approvalErrandSchema, errands).map((one) => one.answer)).toStrictEqual(
      words.slice(0, 3),
    );
  });
});

describe("what became of it", () => {
  const error = {
    code: "forbidden",
    message: "whoever asks is not who approves",
    details: { reason: "asker" },
  };
  const outcome = { id: left.id, at: "2026-01-02T03:04:05.000Z", error };
  keepsItsShape("outcome", errandOutcomeSchema, outcome, { optional: ["error"] });

  test("has an error of the closed list, or none", () => {
    const coded = ["forbidden", "no_such_code"].map((code) => ({ ...outcome, error: { ...error, code } }));
    expect(acceptedBy(errandOutcomeSchema, coded)).toStrictEqual(coded.slice(0, 1));
  });
});
