// A remedy is not a phrase: done at the level that the reason names, it lets that gate pass.
import { type AgentPolicy, costEffects, type Gate, sideEffects, type Verdict } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryPolicy } from "../../../contracts/test-data/arbitrary-policies.ts";
import { arbitraryTool, tools } from "../../test-data/judge-arbitraries.ts";
import { judgeWith, openPolicy, principalWith } from "../../test-data/judge-samples.ts";
import { registerPacks } from "../tool/registry.ts";

const registry = registerPacks([tools]);
const levelNames = ["agent", "session", "run"];

function verdictUnder(policies: readonly AgentPolicy[], tool: string): Verdict {
  const judge = judgeWith([], { registry, policies, surface: "plain", principal: principalWith() });
  return judge.judge({ tool, origin: "direct" }).verdict;
}

const without = (list: readonly string[] | undefined, item: string) =>
  (list ?? []).filter((one) => one !== item);

/** The policy after its owner did what the remedy says, or nothing where it names no change of a policy. */
function mended(policy: AgentPolicy, remedy: string): AgentPolicy | undefined {
  const [, verb, first = "", field = "", second = ""] =
    /^(set|add|take) (?:"([^"]+)" (?:to|out of) )?(\w+)(?: to "([^"]+)")?/.exec(remedy) ?? [];
  if (verb === "take") return { ...policy, [field]: without(policy[field as "deny"], first) };
  if (verb === "add") return { ...policy, [field]: [...(policy[field as "allow"] ?? []), first] };
  return verb === "set" ? { ...policy, [field]: second } : undefined;
}

const single = new Set<Gate>(["deny", "allow", "max.sideEffect", "max.costEffect"]);

describe("a remedy that names one change of a policy works", () => {
  test.each<[string, AgentPolicy, Gate]>([
    ["deny", { ...openPolicy, deny: ["net"] }, "deny"],
    ["denyTools", { ...openPolicy, denyTools: ["orders.*"] }, "deny"],
    ["allow", { ...openPolicy, allow: [] }, "allow"],
    ["allowTools", { ...openPolicy, allowTools: ["world.*"] }, "allow"],
    ["maxSideEffect", { ...openPolicy, maxSideEffect: "none" }, "max.sideEffect"],
    ["maxCostEffect", { ...openPolicy, maxCostEffect: "none" }, "max.costEffect"],
  ])("%s", (field, policy, gate) => {
    const stopped = tools.filter(({ contract }) => verdictUnder([policy], contract.name).gate === gate);
    expect(stopped.length).toBeGreaterThan(0);
    for (const { contract } of stopped) {
      let after = policy;
      // One permission is named at a time: what is left of them is named next.
      for (const _ of field === "allow" ? contract.permissions : [field]) {
        after = mended(after, verdictUnder([after], contract.name).remedy ?? "") ?? {};
      }
      const { gates } = verdictUnder([after], contract.name);
      expect(gates.find((report) => report.gate === gate)?.result).toBe("passed");
      expect(Object.keys(after)).toStrictEqual(Object.keys(policy));
    }
  });

  test("one after the other, at any levels, they lead past every one of these gates", () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryPolicy, { minLength: 1, maxLength: 3 }),
        arbitraryTool,
        (given, { contract }) => {
          let policies: AgentPolicy[] = given;
          const most = 3 * (contract.permissions.length * 2 + 8);
          for (let step = 0; step <= most; step++) {
            const verdict = verdictUnder(policies, contract.name);
            const { gate, reason, remedy = "" } = verdict;
            if (gate === undefined || !single.has(gate)) return;
            expect(step).toBeLessThan(most);
            const index = levelNames.indexOf(/the (\w+)'s policy/.exec(reason)?.[1] ?? "");
            const after = mended(policies[index] ?? {}, remedy);
            expect(after).toBeDefined();
            policies = policies.with(index, after ?? {});
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test("the other way that max.sideEffect names for secret and runtime works too", () => {
    for (const sideEffect of ["secret", "runtime"] as const) {
      const tool = tools.find(
        ({ contract }) => contract.sideEffect === sideEffect && contract.status === "implemented",
      );
      const name = tool?.contract.name ?? "";
      const policy: AgentPolicy = { ...openPolicy, maxSideEffect: "paper_trade" };
      expect(verdictUnder([policy], name).remedy).toBe(
        `set maxSideEffect to "${sideEffect}", or name ${name} in allowTools`,
      );
      const after = verdictUnder([{ ...policy, allowTools: [name] }], name);
      expect(after.gates.find(({ gate }) => gate === "max.sideEffect")?.result).toBe("passed");
    }
  });

  test("the remedy of the budget works", () => {
    const name = "world.read";
    for (const limit of ["maxToolCalls", "maxSteps"]) {
      expect(verdictUnder([{ budget: { [limit]: 0 } }], name).remedy).toBe(
        `raise ${limit} in the policy's budget`,
      );
      expect(verdictUnder([{ budget: { [limit]: 1 } }], name).outcome).toBe("allow");
    }
  });

  test("every class and cost was there to be mended", () => {
    expect(new Set(tools.map(({ contract }) => contract.sideEffect)).size).toBe(sideEffects.length);
    expect(new Set(tools.map(({ contract }) => contract.costEffect)).size).toBe(costEffects.length);
  });
});
