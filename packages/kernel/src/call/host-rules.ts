// G1: the host's own rules: code that can object to a call, or to its output, and allows nothing that the judge refuses. Every entry takes
// them in the same form and reads them here.
import {
  type Digest,
  hashText,
  HostConfigurationNeededError,
  type HostRuleName,
  hostRuleNameSchema,
  parseAtDoor,
  secretInId,
} from "@spfunctions/contracts";
import { randomUUID } from "node:crypto";
import type { PolicyAnswer } from "../judge/input-gates.ts";
import { type EvaluatePostTool, type EvaluatePreTool, parseAnswer, type PolicyView } from "./ask-policy.ts";

/**
 * A rule with its id and version, which are part of the policy digest: a changed rule gets a new version. What a person has approved
 * under one version is not approved under another.
 */
export type HostRule = HostRuleName & {
  /** Asked before a call, once everything else has passed. */
  readonly evaluatePreTool?: EvaluatePreTool | undefined;
  /** Asked about its output, which nobody gets before the answer. */
  readonly evaluatePostTool?: EvaluatePostTool | undefined;
};

/** The host's own rules as options have them. */
export type HostRuleOptions = {
  /** All of them are asked; one that denies outweighs one that asks for a person. */
  readonly rules?: readonly HostRule[] | undefined;
  /** A rule without an id and a version: what a person approves under it is approved in this process only. */
  readonly evaluatePreTool?: EvaluatePreTool | undefined;
  readonly evaluatePostTool?: EvaluatePostTool | undefined;
};

/** The host's own rules, read once. */
export type HostRules = {
  /** Of those that have an id and a version, sorted by id. */
  readonly names: readonly HostRuleName[];
  /** Of those that have none: which text they have, in which process. */
  readonly unnamed?: Digest | undefined;
  readonly evaluatePreTool?: EvaluatePreTool | undefined;
  readonly evaluatePostTool?: EvaluatePostTool | undefined;
};

/** Reads the rules, or says which one is wrong and what to write. */
export function readHostRules({ rules = [], evaluatePreTool, evaluatePostTool }: HostRuleOptions): HostRules {
  if (!Array.isArray(rules)) throw bad("/rules", `rules is a list: ${howToWrite}`);
  const named = (rules as readonly unknown[]).map(readRule);
  named.sort((one, other) => (one.id < other.id ? -1 : 1));
  const twice = named.find(({ id }, index) => named[index + 1]?.id === id);
  if (twice !== undefined) throw bad("/rules", `two rules have the id ${twice.id}; give each its own`);
  requireFunction("/evaluatePreTool", evaluatePreTool);
  requireFunction("/evaluatePostTool", evaluatePostTool);
  const unnamed = [evaluatePreTool, evaluatePostTool].filter((one) => one !== undefined);
  return {
    names: Object.freeze(named.map(({ id, version }) => Object.freeze({ id, version }))),
    ...(unnamed.length > 0 && { unnamed: markOf(unnamed) }),
    evaluatePreTool: allOf(named, "evaluatePreTool", evaluatePreTool),
    evaluatePostTool: allOf(named, "evaluatePostTool", evaluatePostTool),
  };
}

/** The same list, checked and copied: what its owner does to it later changes nothing (G3). */
export function keepHostRules(given: readonly HostRule[] = []): readonly HostRule[] {
  if (!Array.isArray(given)) throw bad("/rules", `rules is a list: ${howToWrite}`);
  const rules = (given as readonly unknown[]).map(readRule);
  readHostRules({ rules });
  return Object.freeze(rules);
}

const howToWrite = `rules: [{ id: "spending", version: "1", evaluatePreTool: (view) => ({ outcome: "allow" }) }]`;
const memberNames: ReadonlySet<string> = new Set(["id", "version", "evaluatePreTool", "evaluatePostTool"]);

function readRule(given: unknown, index: number): HostRule {
  const path = `/rules/${index}`;
  if (typeof given !== "object" || given === null)
    throw bad(path, `a rule is an object with an id, a version and a function: ${howToWrite}`);
  const { id, version, evaluatePreTool, evaluatePostTool } = given as Partial<HostRule>;
  const unknown = Object.keys(given).find((name) => !memberNames.has(name));
  if (unknown !== undefined)
    throw bad(`${path}/${unknown}`, `a rule has no member ${unknown}; it has ${[...memberNames].join(", ")}`);
  const name = parseAtDoor(
    hostRuleNameSchema,
    { id, version },
    `rule ${index} of rules`,
    HostConfigurationNeededError,
  );
  for (const [member, what] of [
    ["id", "rule's id"],
    ["version", "rule's version"],
  ] as const) {
    const problem = secretInId(name[member], what);
    if (problem !== undefined) throw bad(`${path}/${member}`, problem);
  }
  requireFunction(`${path}/evaluatePreTool`, evaluatePreTool);
  requireFunction(`${path}/evaluatePostTool`, evaluatePostTool);
  if (evaluatePreTool === undefined && evaluatePostTool === undefined)
    throw bad(path, `the rule ${name.id} has neither evaluatePreTool nor evaluatePostTool; give it one`);
  return Object.freeze({ ...name, evaluatePreTool, evaluatePostTool });
}

function requireFunction(path: string, given: unknown): void {
  if (given === undefined || typeof given === "function") return;
  throw bad(
    path,
    `${path.split("/").at(-1)} is no function; with an id and a version it is written ${howToWrite}`,
  );
}

/** Of one function that has no name it is that function itself. */
function allOf<Point extends "evaluatePreTool" | "evaluatePostTool">(
  named: readonly HostRule[],
  point: Point,
  unnamed: HostRules[Point],
): HostRules[Point] {
  const rules = named.filter((rule) => rule[point] !== undefined);
  if (rules.length === 0) return unnamed;
  const all = unnamed === undefined ? rules : [...rules, { [point]: unnamed } as Partial<HostRule>];
  return async (view: PolicyView) => {
    let asks: PolicyAnswer | undefined;
    for (const rule of all) {
      // Each has a copy of its own: what one changes in it, the next does not see.
      const evaluate = rule[point] as (view: PolicyView) => unknown;
      // oxlint-disable-next-line no-await-in-loop -- in their order
      const answer = said(rule.id, parseAnswer(await evaluate(Object.freeze(structuredClone(view)))));
      if (answer.outcome === "deny") return answer;
      if (answer.outcome === "ask") asks ??= answer;
    }
    return asks ?? { outcome: "allow" };
  };
}

function said(id: string | undefined, answer: PolicyAnswer): PolicyAnswer {
  if (id === undefined || answer.outcome === "allow") return answer;
  return { ...answer, reason: answer.reason === undefined ? id : `${id}: ${answer.reason}` };
}

/** Functions with the same text in the same process have the same mark; after a restart nobody knows what they close over. */
function markOf(functions: readonly unknown[]): Digest {
  return hashText([thisProcess, ...functions.map(String)].join("\n"));
}

const thisProcess = randomUUID();

function bad(path: string, message: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(message, { details: { path, reason: "bad_rule" } });
}
