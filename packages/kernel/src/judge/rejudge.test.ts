import { type PolicyLevel, readTradeFacts, type Verdict } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryCall, arbitraryLevels, arbitraryView, tools } from "../../test-data/judge-arbitraries.ts";
import { levelsOf, openPolicy, order, principalWith } from "../../test-data/judge-samples.ts";
import { orderSpec, toolWith } from "../../test-data/tool-samples.ts";
import { registerPacks } from "../tool/registry.ts";
import { compileJudge, type JudgedCall, type JudgeView } from "./judge.ts";
import { compileRejudge, type RecordedSubject } from "./rejudge.ts";

const registry = registerPacks([tools]);
const rightWord = "kept";

type Looking = Omit<JudgeView, "registry" | "levels" | "matchesConfirm">;

const matchesConfirm = (given: string) => given === rightWord;

function judged(levels: readonly PolicyLevel[], view: Looking, call: JudgedCall): Verdict {
  return compileJudge({ registry, levels, matchesConfirm, ...view }).judge(call).verdict;
}

/** The call as a record has it: what its gates found about the input, and the input itself only for the trade. */
function asRecorded(view: Looking, call: JudgedCall, { gates }: Verdict): RecordedSubject | undefined {
  const contract = registry.tools.get(call.tool)?.contract;
  const { principal, surface, mode = "live", hasPreTool } = view;
  // What is only inspected leaves no record.
  if (contract === undefined || mode === "inspect") return undefined;
  const { origin, input, preTool } = call;
  const subject = { contract, origin, principal, surface, mode };
  const fits = gates.find(({ gate }) => gate === "input")?.result === "passed";
  const isReached = gates.find(({ gate }) => gate === "capability")?.result !== "stopped";
  const value = input?.type === "live" ? input.value : null;
  const { confirm, ...facts } = contract.trade ? readTradeFacts(contract.trade, value) : {};
  return {
    ...subject,
    ...(input && { input: { fits, value, facts, isConfirmed: confirm === rightWord, isReached } }),
    ...(hasPreTool === true && preTool && { preTool }),
  };
}

describe("a recorded call is judged by the judge:", () => {
  test("for any levels, principals and inputs it says what was said of the call itself, but for what an input's problem was, or how far it reached", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        arbitraryLevels,
        arbitraryView,
        arbitraryCall,
        fc.constantFrom("passed", undefined),
        (levels, view, { tool, origin, input, preTool = { outcome: "allow" } as const }, capability) => {
          const call = { tool, origin, preTool, ...(input && { input }), ...(capability && { capability }) };
          const verdict = judged(levels, view, call);
          const subject = asRecorded(view, call, verdict);
          if (subject === undefined) return;
          const again = compileRejudge(levels).rejudge(subject);
          seen.add(verdict.gate ?? verdict.outcome);
          expect(inOtherWords(again)).toStrictEqual(inOtherWords(verdict));
        },
      ),
      { numRuns: 3000 },
    );
    expect(seen.size).toBeGreaterThan(10);
  });

  test("one after the other, whatever was judged before", () => {
    fc.assert(
      fc.property(
        arbitraryLevels,
        fc.array(fc.tuple(arbitraryView, arbitraryCall), { minLength: 5, maxLength: 15 }),
        (levels, asked) => {
          const subjects = asked.flatMap(
            ([view, call]) => asRecorded(view, call, judged(levels, view, call)) ?? [],
          );
          const { rejudge } = compileRejudge(levels);
          expect(subjects.map(rejudge)).toStrictEqual(
            subjects.map((subject) => compileRejudge(levels).rejudge(subject)),
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});

function inOtherWords({ reason, remedy, gates, ...verdict }: Verdict) {
  const isOwn = (gate: unknown) => gate === "input" || gate === "capability";
  return {
    ...verdict,
    gates: gates.map(({ gate, result, detail }) => [gate, result, isOwn(gate) ? "" : detail]),
    ...(isOwn(verdict.gate) ? {} : { reason, remedy }),
  };
}

describe("what a record cannot show is given:", () => {
  const { contract } = toolWith(orderSpec());
  const subject = {
    contract,
    principal: principalWith(),
    origin: "direct",
    surface: "plain",
    mode: "live",
  } as const;
  const confirming = levelsOf({ ...openPolicy, trade: { ...openPolicy.trade, confirmToken: "some word" } });

  test.each([
    [true, "allow"],
    [false, "deny"],
  ])(
    "whether the confirm word was right: %s, whatever the record shows instead of it",
    (isConfirmed, outcome) => {
      const facts = { ...order, confirm: "some word" };
      const input = {
        fits: true,
        value: { ...facts, confirm: "[redacted:password:0123456789ab]" },
        facts,
        isConfirmed,
        isReached: true,
      };
      const verdict = compileRejudge(confirming).rejudge({ ...subject, input });
      expect([verdict.outcome, verdict.gate]).toStrictEqual([outcome, isConfirmed ? undefined : "trade"]);
    },
  );

  test("whether the input fitted", () => {
    const input = { fits: false, value: null, facts: {}, isConfirmed: false, isReached: true };
    const verdict = compileRejudge(levelsOf(openPolicy)).rejudge({ ...subject, input });
    expect([verdict.gate, verdict.code]).toStrictEqual(["input", "invalid_input"]);
  });

  test("and whether a verdict was made under the same policies, whatever rules the host had besides", () => {
    const levels = levelsOf(openPolicy);
    const rules = { names: [{ id: "spending", version: "1" }] };
    const call = { tool: "no.such_tool", origin: "direct" } as const;
    const view = { principal: principalWith({}), surface: "agent" } as const;
    const [plain, ruled] = [judged(levels, view, call), judged(levels, { ...view, rules }, call)];
    expect(plain.policyDigest).not.toBe(ruled.policyDigest);
    expect([plain, ruled].map(compileRejudge(levels).isUnder)).toStrictEqual([true, true]);
    expect([plain, ruled].map(compileRejudge(levelsOf({})).isUnder)).toStrictEqual([false, false]);
  });

  test("and by whom, at which door, live or not, and what the host's policy said: each is judged on its own", () => {
    const { rejudge } = compileRejudge(levelsOf({}));
    const input = { fits: true, value: null, facts: {}, isConfirmed: false, isReached: true };
    const base = { ...subject, contract: toolWith({ agent: { callable: false } }).contract, input };
    const anonymous = principalWith({ kind: "anonymous" });
    const asked: readonly Partial<RecordedSubject>[] = [
      {},
      { surface: "agent" },
      { principal: anonymous },
      { principal: anonymous, mode: "replay" },
      { preTool: { outcome: "deny" } },
      { preTool: { outcome: "ask" } },
      { contract: toolWith({ costEffect: "llm_cost" }).contract },
      {},
    ];
    expect(asked.map((changes) => rejudge({ ...base, ...changes }).gate)).toStrictEqual([
      undefined,
      "agent.callable",
      "identity",
      undefined,
      "pre_tool",
      "pre_tool",
      "max.costEffect",
      undefined,
    ]);
  });
});
