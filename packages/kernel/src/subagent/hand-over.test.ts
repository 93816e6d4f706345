import type { ContentRef, ContextHandoffPolicy } from "@spfunctions/contracts";
import { canonicalJson } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import type { ModelMessage } from "../model/model-adapter.ts";
import { toldOf } from "../run/model/conversation.ts";
import { handOver, type History } from "./hand-over.ts";

const policyRef = { kind: "handoff", ref: "policy.handoff.research" } as const;
const [one, two, three] = [
  "content_0190aaaa-one",
  "content_0190aaaa-two",
  "content_0190aaaa-three",
] as ContentRef[];
const texts = new Map([
  [one, "the first, with ünïcode and \u0000"],
  [two, '{"text":"the second"}'],
]);
const told: ModelMessage[] = [
  { role: "user", text: "look" },
  { role: "assistant", text: "", toolCalls: [{ id: "t1", name: "notes.read", args: { b: 1, a: "x" } }] },
  { role: "tool", toolCallId: "t1", text: '{"text":"milk"}' },
];
const history: History = { textOf: (ref) => texts.get(ref), told: () => told };
const textsFor = (policy: object) =>
  handOver(policy as ContextHandoffPolicy, history).messages.map(({ role, text }) => [role, text]);

// proves CHILD-2.1, CHILD-4.1, CHILD-4.5, CHILD-16.1
test("nothing", () => {
  expect(handOver({ type: "none" }, history)).toStrictEqual({
    messages: [],
    audit: { variant: "none", refs: [], messages: 0, bytes: 0 },
    digest: toldOf([]).digest,
  });
});

// proves CHILD-2.3, CHILD-2.4
test("a summary, to the byte", () => {
  const policy = { type: "summary_only", summaryRef: one, maxTokens: 500, policyRef };
  expect(textsFor(policy)).toStrictEqual([["user", texts.get(one as ContentRef)]]);
});

// proves CHILD-2.8, CHILD-2.9, CHILD-4.8
test("what was selected, each to the byte, in the order in which it was", () => {
  const policy = { type: "selected_refs", refs: [two, one], policyRef };
  expect(textsFor(policy)).toStrictEqual([
    ["user", texts.get(two as ContentRef)],
    ["user", texts.get(one as ContentRef)],
  ]);
});

// proves CHILD-2.11
test("everything, as the canonical text of what its parent's model was told and has said", () => {
  const policy = { type: "full_history_with_policy", policyRef, projectionAuditRequired: true };
  expect(textsFor(policy)).toStrictEqual([["user", canonicalJson(told)]]);
});

// proves CHILD-2.10, CHILD-2.14, CHILD-4.3
test("what was handed over is told by digest, count and length, without its words", () => {
  const { messages, audit, digest } = handOver(
    { type: "selected_refs", refs: [one as ContentRef], policyRef },
    history,
  );
  const { bytes } = toldOf(messages);
  expect(digest).toBe(toldOf(messages).digest);
  expect(audit).toStrictEqual({
    variant: "selected_refs",
    policyRef,
    refs: [one],
    messages: 1,
    bytes,
  });
  expect(JSON.stringify(audit)).not.toContain("first");
});

// proves CHILD-2.12, CHILD-4.1, CHILD-4.2, CHILD-4.3, CHILD-4.4, CHILD-4.5, CHILD-4.6, CHILD-4.7, CHILD-4.8, CHILD-4.9, CHILD-4.10
test("each handoff says which policy it goes by and which content it names; none has neither", () => {
  const each = [
    { type: "none" },
    { type: "summary_only", summaryRef: one, maxTokens: 500, policyRef },
    { type: "selected_refs", refs: [two, one], policyRef },
    { type: "full_history_with_policy", policyRef, projectionAuditRequired: true },
  ] as ContextHandoffPolicy[];
  const said = () =>
    each.map((policy) => {
      const { variant, policyRef: by, refs } = handOver(Object.freeze(policy), history).audit;
      return [variant, by, refs];
    });
  const first = said();
  expect(said()).toStrictEqual(first);
  expect(first).toStrictEqual([
    ["none", undefined, []],
    ["summary_only", policyRef, [one]],
    ["selected_refs", policyRef, [two, one]],
    ["full_history_with_policy", policyRef, []],
  ]);
});

// proves CHILD-2.16
test("what is not there, or was erased, is not handed over, nor anything beside it", () => {
  const error = refusalOf(() => textsFor({ type: "selected_refs", refs: [one, three], policyRef }));
  expect([error.code, error.details?.reason]).toStrictEqual(["not_found", "no_content"]);
});

// proves CHILD-2.6
test("a summary of more tokens than may be handed over is not", () => {
  const policy = { type: "summary_only", summaryRef: one, maxTokens: 10, policyRef };
  const error = refusalOf(() => textsFor(policy));
  expect([error.code, error.details?.reason]).toStrictEqual(["invalid_input", "too_large"]);
});

// proves CHILD-16.19
test("whatever else there is, nothing of it comes through", () => {
  const word = fc.string({ unit: "binary", maxLength: 40 }).map((text) => text.toWellFormed());
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 2, maxLength: 6 }), fc.nat(), (words, at) => {
      const rows = new Map(words.map((text, index) => [`content_0190aaaa-${index}` as ContentRef, text]));
      const ref = [...rows.keys()][at % rows.size] as ContentRef;
      const given: History = { textOf: (asked) => rows.get(asked), told: () => told };
      const { messages } = handOver({ type: "selected_refs", refs: [ref], policyRef }, given);
      expect(messages).toStrictEqual([{ role: "user", text: rows.get(ref) }]);
    }),
  );
});
