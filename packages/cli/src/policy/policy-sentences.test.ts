import { type AgentPolicy, parsePolicy } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryPolicy } from "../../../contracts/test-data/arbitrary-policies.ts";
import { policySentences } from "./policy-sentences.ts";

const free =
  "May be used: what is free, paid requests, searches; not: language models (the default of maxCostEffect).";
const trades = (policy: AgentPolicy) => sentencesOf(policy).slice(3);
const sentencesOf = (policy: AgentPolicy) => policySentences(parsePolicy(policy));

describe("what a policy means", () => {
  test("is said of tools and permissions: only these, never those", () => {
    expect(
      sentencesOf({ allow: ["net"], deny: ["orders"], allowTools: ["a.b", "c.*"], denyTools: ["c.d"] }),
    ).toStrictEqual([
      "Only these tools may be called: a.b, c.*.",
      "Never these, whatever else is said: c.d.",
      "Only tools that need no other permission than: net.",
      "No tool that needs one of these permissions: orders.",
      "Nothing may be changed (maxSideEffect none).",
      free,
    ]);
    expect(sentencesOf({ allow: [] })).toContain("Only tools that need no permission.");
  });

  test("is said of what only a name allows: secrets and what runs", () => {
    const named = sentencesOf({ maxSideEffect: "paper_trade", allowTools: ["keys.make", "notes.*"] });
    expect(named).toContain(
      "Also keys and other secrets; what runs, and when: by a tool that allowTools names in full, and by no other.",
    );
    expect(named).toContain(
      "May be changed: records of its own use, what belongs to the user, trades on paper (maxSideEffect paper_trade).",
    );
    const unnamed = sentencesOf({ maxSideEffect: "paper_trade", allowTools: ["notes.*"] });
    expect(unnamed.some((sentence) => sentence.startsWith("Also "))).toBe(false);
    expect(sentencesOf({ maxSideEffect: "runtime" })).toContain(
      "May be changed: records of its own use, what belongs to the user, what runs, and when (maxSideEffect runtime).",
    );
  });

  test("is said of trades: where, how much, and how", () => {
    const trade = { allowedVenues: ["kalshi"], maxOrderCostCents: 500, maxQuantity: 5 };
    expect(trades({ maxSideEffect: "live_trade" })).toStrictEqual([
      "Nothing is really traded: without trade guardrails every order is refused.",
    ]);
    expect(trades({ maxSideEffect: "paper_trade", trade })).toStrictEqual([
      "Nothing is really traded.",
      "Its trade guardrails have no use below maxSideEffect live_trade.",
    ]);
    expect(trades({ maxSideEffect: "live_trade", trade })).toStrictEqual([
      "Real orders only at kalshi, of at most 5 contracts and 500 cents, and never from a model.",
      "Only as a dry run (dryRunOnly): an order that would be placed is refused.",
      "Only with a limit price.",
    ]);
    const open = {
      ...trade,
      dryRunOnly: false,
      requireLimitPrice: false,
      allowAutoExecute: true,
      allowRuntimeStart: true,
      requireJurisdiction: true,
      jurisdiction: "US",
      blockedJurisdictions: ["US-NY"],
      confirmToken: "a word of theirs",
    };
    expect(trades({ maxSideEffect: "live_trade", trade: open }).slice(1)).toStrictEqual([
      "Orders are really placed (dryRunOnly is false).",
      "Also without a limit price: then a contract counts as 99 cents.",
      "Also orders that execute by themselves later.",
      "Also orders that start a runtime.",
      "Only with the confirm token.",
      "Only with a jurisdiction.",
      "Only in the jurisdiction US.",
      "Never in US-NY.",
    ]);
  });

  test("is said of bounds, approvals and sessions", () => {
    const policy: AgentPolicy = {
      budget: { maxSteps: 3, maxToolCalls: 4, budgetUsd: 0.5, maxDepth: 1 },
      approvals: {
        requireForSideEffectAtOrAbove: "user_write",
        requireForCostEffectAtOrAbove: "llm_cost",
        ttlMs: 1000,
        approvers: ["key_ada"],
        onDenied: "fail",
      },
      session: { persist: true, ttlMs: 60_000, maxHistoryTokens: 100 },
    };
    expect(sentencesOf(policy).slice(3)).toStrictEqual([
      "A run takes at most 3 steps, 4 tool calls, 0.5 USD for models, a depth of 1.",
      "A person is asked before a side effect of user_write or above, and before a cost of llm_cost or above.",
      "An approval is good for 1000 ms.",
      "Besides admin keys these may approve: key_ada.",
      "Where a person says no, the run fails.",
      "A session is kept, lasts 60000 ms and has at most 100 tokens of history.",
    ]);
  });

  test.each([{}, { ttlMs: 1000, approvers: ["key_ada"] }])(
    "is said of approvals that ask nobody: %j",
    (approvals) => {
      expect(sentencesOf({ approvals })[3]).toBe(
        "It asks nobody: approvals says neither requireForSideEffectAtOrAbove nor requireForCostEffectAtOrAbove.",
      );
    },
  );

  test("is said of any policy in whole sentences, and never with its confirm token in them", () => {
    fc.assert(
      fc.property(arbitraryPolicy, (policy) => {
        const sentences = sentencesOf(policy);
        expect(sentences.every((sentence) => /^[A-Z].*\.$/s.test(sentence))).toBe(true);
        const token = policy.trade?.confirmToken ?? "no token at all";
        expect(sentences.join("\n").includes(token)).toBe(false);
      }),
    );
  });
});
