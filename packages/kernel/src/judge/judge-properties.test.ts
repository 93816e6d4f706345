import {
  type AgentPolicy,
  type ContractTool,
  type CostEffect,
  gateCodes,
  parsePolicy,
  policyLevelNames,
  type PolicyLevel,
  scopes as allScopes,
  type SideEffect,
  sideEffects,
  type Verdict,
  verdictSchema,
} from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  arbitraryCall,
  arbitraryLevel,
  arbitraryLevels,
  arbitraryOrigin,
  arbitraryTool,
  arbitraryView,
  tools,
} from "../../test-data/judge-arbitraries.ts";
import {
  forgedRegistry,
  liveInput,
  openPolicy,
  order,
  principalWith,
} from "../../test-data/judge-samples.ts";
import { registerPacks } from "../tool/registry.ts";
import { compileJudge, type JudgedCall, type JudgeView } from "./judge.ts";

const registry = registerPacks([tools]);
const numRuns = 300;

type Looking = Omit<JudgeView, "registry" | "levels" | "matchesConfirm">;

function judgeUnder(levels: readonly PolicyLevel[], view: Looking) {
  return compileJudge({
    registry,
    levels,
    matchesConfirm: (given, kept) => kept === `hash of ${given}`,
    ...view,
  });
}
const verdictUnder = (levels: readonly PolicyLevel[], view: Looking, call: JudgedCall): Verdict =>
  judgeUnder(levels, view).judge(call).verdict;

const openness = { deny: 0, ask: 1, allow: 2 };
const open: PolicyLevel = { level: "agent", policy: parsePolicy(openPolicy) };
const at = <Item>(list: readonly Item[], place: number, item: Item): Item[] =>
  list.toSpliced(place % (list.length + 1), 0, item);

/** As dear as nothing, so that it is only about what they change. */
const aToolOfEachSide = tools.filter(({ contract }) => contract.costEffect === "none");

function levelsAbout(name: string): PolicyLevel[] {
  const naming = [undefined, [name], [`${name.split(".")[0]}.*`], ["other.tool"]];
  return sideEffects.flatMap((maxSideEffect) =>
    naming.map((allowTools) => ({
      level: "agent" as const,
      policy: parsePolicy({ ...openPolicy, maxSideEffect, ...(allowTools && { allowTools }) }),
    })),
  );
}

describe("for any tools, levels, principals and inputs", () => {
  test("every verdict is one that its own gates bear out", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(arbitraryLevels, arbitraryView, arbitraryCall, (levels, view, call) => {
        const verdict = verdictUnder(levels, view, call);
        expect(verdictSchema.parse(verdict)).toStrictEqual(verdict);
        expect(verdict.remedy === undefined).toBe(verdict.outcome === "allow");
        const codes: readonly unknown[] = verdict.gate === undefined ? ["allowed"] : gateCodes[verdict.gate];
        expect(codes).toContain(verdict.code);
        seen.add(verdict.gate ?? verdict.outcome);
      }),
      { numRuns: 5000 },
    );
    // Chance has been everywhere: otherwise the promises below would be about little.
    expect(seen.size).toBeGreaterThan(12);
  });

  // proves KEY-14.15
  test("deny always wins (G2)", () => {
    fc.assert(
      fc.property(
        arbitraryLevels,
        arbitraryLevel,
        fc.nat(),
        arbitraryView,
        arbitraryCall,
        arbitraryTool,
        fc.constantFrom("name", "namespace", "permission"),
        (levels, base, place, view, call, tool, how) => {
          const { name, permissions } = tool.contract;
          const [permission] = permissions;
          const denial: AgentPolicy =
            how === "permission" && permission !== undefined
              ? { deny: [...(base.policy.deny ?? []), permission] }
              : {
                  denyTools: [
                    ...(base.policy.denyTools ?? []),
                    how === "name" ? name : `${name.split(".")[0]}.*`,
                  ],
                };
          const denying = { ...base, policy: parsePolicy({ ...base.policy, ...denial }) };
          const verdict = verdictUnder(at(levels, place, denying), view, { ...call, tool: name });
          expect(verdict.outcome).toBe("deny");
          expect(verdict.gates.find(({ gate }) => gate === "deny")?.result).toBe("stopped");
        },
      ),
      { numRuns },
    );
  });

  test("adding a policy level never allows more (G2)", () => {
    fc.assert(
      fc.property(
        arbitraryLevels,
        arbitraryLevel,
        fc.nat(),
        arbitraryView,
        arbitraryCall,
        (levels, added, place, view, call) => {
          const before = verdictUnder(levels, view, call);
          const after = verdictUnder(at(levels, place, added), view, call);
          expect(openness[after.outcome]).toBeLessThanOrEqual(openness[before.outcome]);
        },
      ),
      { numRuns: 2 * numRuns },
    );
  });

  // By chance a ceiling hardly ever meets the one tool that a policy names: these are all of them.
  test("adding a level never allows more, whatever ceilings both have and however they name a tool (G2)", () => {
    for (const tool of aToolOfEachSide) {
      const { name } = tool.contract;
      const levels = levelsAbout(name);
      for (const some of [["read"], ["write"], ["read", "write"], ["trade"], [...allScopes]] as const) {
        const view = { principal: principalWith({ scopes: [...some] }), surface: "agent" } as const;
        const opennessUnder = (under: PolicyLevel[]) =>
          openness[verdictUnder(under, view, { tool: name, origin: "direct" }).outcome];
        const alone = levels.map((level) => opennessUnder([level]));
        for (const [first, one] of levels.entries())
          for (const [second, other] of levels.entries())
            expect(opennessUnder([one, other])).toBeLessThanOrEqual(
              Math.min(alone[first] ?? 0, alone[second] ?? 0),
            );
      }
    }
  });

  test("adding the same level again changes nothing", () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryLevel, { minLength: 1, maxLength: 3 }),
        arbitraryView,
        arbitraryCall,
        (levels, view, call) => {
          const { policyDigest: _, ...before } = verdictUnder(levels, view, call);
          const { policyDigest: __, ...after } = verdictUnder([...levels, ...levels], view, call);
          expect(after).toStrictEqual(before);
        },
      ),
      { numRuns },
    );
  });

  test("the order of levels decides nothing", () => {
    fc.assert(
      fc.property(
        arbitraryLevels.chain((levels) =>
          fc.tuple(fc.constant(levels), fc.shuffledSubarray(levels, { minLength: levels.length })),
        ),
        arbitraryView,
        arbitraryCall,
        ([levels, shuffled], view, call) => {
          const [one, other] = [levels, shuffled].map((list) => {
            const { outcome, gate, code, gates } = verdictUnder(list, view, call);
            return { outcome, gate, code, results: gates.map(({ result }) => result) };
          });
          expect(other).toStrictEqual(one);
        },
      ),
      { numRuns },
    );
  });

  test("explain and call never disagree: cached or not, whatever was asked before, in any order", () => {
    // Few tools and many calls, so that they meet what was decided before.
    const calls = fc
      .tuple(
        fc.array(arbitraryTool, { minLength: 1, maxLength: 2 }),
        fc.array(arbitraryCall, { maxLength: 8 }),
      )
      .map(([few, all]) =>
        all.map((call, index) => ({ ...call, tool: few[index % few.length]?.contract.name ?? call.tool })),
      );
    fc.assert(
      fc.property(arbitraryLevels, arbitraryView, calls, (levels, view, asked) => {
        const fresh = asked.map((call) => verdictUnder(levels, view, call));
        const shared = judgeUnder(levels, view);
        const inOrder = asked.map((call) => shared.judge(call).verdict);
        const backwards = asked
          .toReversed()
          .map((call) => shared.judge(call).verdict)
          .toReversed();
        expect(inOrder).toStrictEqual(fresh);
        expect(backwards).toStrictEqual(fresh);
      }),
      { numRuns: numRuns / 2 },
    );
  });

  test("an input lets nothing pass that was stopped without one, and changes nothing of what needs none", () => {
    fc.assert(
      fc.property(arbitraryLevels, arbitraryView, arbitraryCall, (levels, view, given) => {
        const { input: _, ...call } = given;
        const judge = judgeUnder(levels, view);
        const without = judge.judge(call).verdict;
        const withOne = judge.judge({ ...call, input: liveInput({}) }).verdict;
        expect(openness[withOne.outcome]).toBeLessThanOrEqual(openness[without.outcome]);
        expect(withOne.gates.slice(0, 11)).toStrictEqual(without.gates.slice(0, 11));
      }),
      { numRuns },
    );
  });

  test("a host's own policy can only object", () => {
    fc.assert(
      fc.property(
        arbitraryLevels,
        arbitraryView,
        arbitraryCall,
        (levels, view, { preTool = { outcome: "allow" } as const, ...call }) => {
          const without = verdictUnder(levels, { ...view, hasPreTool: false }, call);
          const asked = verdictUnder(levels, { ...view, hasPreTool: true }, { ...call, preTool });
          expect(openness[asked.outcome]).toBeLessThanOrEqual(openness[without.outcome]);
          expect(preTool.outcome === "allow" ? asked.outcome : without.outcome).toBe(without.outcome);
        },
      ),
      { numRuns },
    );
  });

  test("a live trade by any origin but direct is denied, under any policy", () => {
    const trades = tools.filter(({ contract }) => contract.sideEffect === "live_trade");
    const driven = arbitraryOrigin.filter((origin) => origin !== "direct");
    fc.assert(
      fc.property(arbitraryLevels, arbitraryView, arbitraryCall, driven, (levels, view, call, origin) => {
        const outcomes = trades.map(
          ({ contract }) =>
            verdictUnder([open, ...levels], view, { ...call, tool: contract.name, origin }).outcome,
        );
        expect(new Set(outcomes)).toStrictEqual(new Set(["deny"]));
      }),
      { numRuns: numRuns / 5 },
    );
  });

  test("fewer scopes never allow more", () => {
    fc.assert(
      fc.property(arbitraryLevels, arbitraryView, arbitraryCall, fc.nat(), (levels, view, call, place) => {
        const { scopes } = view.principal;
        const fewer = {
          ...view.principal,
          scopes: scopes.filter((_, index) => index !== place % (scopes.length + 1)),
        };
        const before = verdictUnder(levels, view, call);
        const after = verdictUnder(levels, { ...view, principal: fewer }, call);
        expect(openness[after.outcome]).toBeLessThanOrEqual(openness[before.outcome]);
      }),
      { numRuns },
    );
  });
});

describe("unknown means no (G1)", () => {
  const word = fc.oneof(
    fc.constantFrom("__proto__", "constructor", "toString", "", "NONE", "none ", "everything"),
    fc.string({ maxLength: 12 }),
  );
  const known = new Set<string>(
    tools.flatMap(({ contract }) => [contract.sideEffect, contract.costEffect, ...contract.risk]),
  );
  const strange = word.filter(
    (text) => !known.has(text) && !["account_context", "user_data", "search", "llm"].includes(text),
  );
  const levels: PolicyLevel[] = policyLevelNames.map((level) => ({ ...open, level }));

  test.each<[string, (text: string) => Partial<ContractTool>]>([
    ["side effect", (text) => ({ sideEffect: text as SideEffect })],
    ["cost", (text) => ({ costEffect: text as CostEffect })],
    ["risk", (text) => ({ risk: [text as never] })],
    ["status", (text) => ({ status: text as never })],
  ])("an unknown %s is allowed by no policy", (_, forge) => {
    fc.assert(
      fc.property(strange, arbitraryTool, (text, { contract }) => {
        const forged = { ...contract, ...forge(text) };
        const judge = compileJudge({
          registry: forgedRegistry(forged),
          levels,
          principal: principalWith(),
          surface: "plain",
          matchesConfirm: () => true,
        });
        // A refusal or a fault: never a yes.
        let outcome = "fault";
        try {
          outcome = judge.judge({ tool: contract.name, origin: "direct", input: liveInput(order) }).verdict
            .outcome;
        } catch {}
        expect(outcome).not.toBe("allow");
      }),
      { numRuns: 300 },
    );
  });
});
