// The only decision function: `explain` and `call` both use it. Compiled once for a manifest, a list of policies and a
// principal; what needs no input is decided once for each tool.
import {
  type ApprovalPolicy,
  type BudgetPolicy,
  type ContractTool,
  combinedApprovals,
  combinedBudget,
  type Digest,
  fillDefaults,
  type Gate,
  type GateReport,
  gates,
  hashInput,
  nearest,
  type Origin,
  type PolicyLevel,
  type Principal,
  policyDigest,
  type Spent,
  type Verdict,
} from "@spfunctions/contracts";
import type { HostRules } from "../call/host-rules.ts";
import { type Network, readNetwork } from "../capability/network.ts";
import type { Tool } from "../tool/define-tool.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { SchemaProblem } from "../tool/schema-check.ts";
import { checksOf } from "../tool/tool-checks.ts";
import {
  approvalGate,
  capabilityGate,
  hiddenGate,
  inputGate,
  type JudgedInput,
  type PolicyAnswer,
  preToolGate,
  tradeGate,
} from "./input-gates.ts";
import { budgetFinding, type Finding, type Stop, type Subject, staticGates } from "./static-gates.ts";

export type JudgeView = {
  readonly registry: ToolRegistry;
  readonly levels: readonly PolicyLevel[];
  readonly principal: Principal;
  readonly surface: "agent" | "plain";
  /**
   * Replaying asks only what the tool and the policy say: gates 1 to 3 and 5 to 9. Where calls are only inspected, nobody is asked
   * who they are.
   */
  readonly mode?: JudgeMode;
  /** Whether the host has a policy of its own, asked between `capability` and `approval`. */
  readonly hasPreTool?: boolean;
  /** The host's own rules: those with an id and a version are part of the policy digest. */
  readonly rules?: Pick<HostRules, "names" | "unnamed"> | undefined;
  /** What is said of the network; unless given, nothing is opened in it. */
  readonly network?: Network | undefined;
  readonly matchesConfirm: (given: string, kept: string) => boolean;
  /** Milliseconds that a question waits where whoever opened the caller does not say. Left out where nobody is asked. */
  readonly approvalMs?: number | undefined;
  /** Whether a person can be asked about a call; they can unless it is said. */
  readonly canAsk?: boolean | undefined;
};

export type JudgeMode = "live" | "replay" | "inspect";

export type JudgedCall = {
  readonly tool: string;
  readonly origin: Origin;
  /** Absent: the input gates are not checked. */
  readonly input?: JudgedInput;
  /** What was found of a capability that the call needs. `not_checked`: what was granted is not looked at, and nothing runs. */
  readonly capability?: Finding | "not_checked" | undefined;
  /** Absent: the host's own policy has not been asked. */
  readonly preTool?: PolicyAnswer;
  /** A person has approved exactly this call: where somebody was to be asked, nobody is. */
  readonly isApproved?: boolean | undefined;
  /** B12: by a yes for the session. That is to what a policy asks: what the host's own asks about this call is asked. */
  readonly isByGrant?: boolean | undefined;
  readonly spent?: Spent | undefined;
};

/**
 * A verdict; for a program what is wrong with the input where that stopped the call; and what a host's policy said, which may
 * quote the input and so is in no verdict, because a verdict cannot be erased.
 */
export type Judgement = {
  readonly verdict: Verdict;
  readonly problem?: SchemaProblem;
  readonly said?: string;
};

export type Judge = {
  readonly policyDigest: Digest;
  /** What an approval must fit: the policy digest, and where a rule has no id and version, that rule's text in this process. */
  readonly approvalDigest: Digest;
  /** What a call is decided and recorded under: the digest of manifest and policy. */
  readonly packageFingerprint: Digest;
  /** What a run may use up, by every level. */
  readonly budget: BudgetPolicy;
  /** Whom a person who is asked must be, and how long they have. */
  readonly approvals: ApprovalPolicy;
  readonly judge: (call: JudgedCall) => Judgement;
};

type Report = readonly [Gate, Finding | "not_checked"];

const unaskedIn: { readonly [Mode in JudgeMode]: ReadonlyMap<Gate, "not_applicable" | "not_checked"> } = {
  live: new Map(),
  replay: new Map([
    ["identity", "not_applicable"],
    ["user_data.auth", "not_applicable"],
    ["budget", "not_applicable"],
  ]),
  inspect: new Map([
    ["identity", "not_checked"],
    ["user_data.auth", "not_checked"],
  ]),
};
const closedNetwork = readNetwork();
const inputGateNames = gates.slice(11);

export function compileJudge(view: JudgeView): Judge {
  const { registry, levels, mode = "live" } = view;
  const { names = [], unnamed } = view.rules ?? {};
  const digest = policyDigest(levels, names);
  const law: Law = { policyDigest: digest, ...(names.length > 0 && { rules: [...names] }) };
  const bounds = fillDefaults(levels, view.approvalMs);
  const budget = combinedBudget(bounds);
  const packageFingerprint = hashInput({ manifest: registry.manifest.digest, policy: digest });
  const decided = new Map<string, StaticDecision>();

  function staticDecision(tool: Tool, origin: Origin, spent: Spent | undefined): StaticDecision {
    const key = `${origin} ${tool.contract.name}`;
    const known = decided.get(key) ?? decideAnew(tool, origin, {});
    decided.set(key, known);
    // What was spent has a say in one gate alone: as long as that passes, the decision is the same.
    const isSame = spent === undefined || typeof budgetFinding(budget, spent) === "string";
    return isSame || known.stopped ? known : decideAnew(tool, origin, spent);
  }

  function decideAnew(tool: Tool, origin: Origin, spent: Spent): StaticDecision {
    const { principal, surface } = view;
    return decideStatic({ tool: tool.contract, levels, principal, origin, surface, spent }, mode, law);
  }

  return {
    policyDigest: digest,
    approvalDigest: unnamed === undefined ? digest : hashInput({ policy: digest, unnamed }),
    packageFingerprint,
    budget,
    approvals: combinedApprovals(bounds),
    judge(call) {
      const tool = registry.tools.get(call.tool);
      if (tool === undefined) return { verdict: unknownTool(call.tool, registry, law) };
      const fixed = staticDecision(tool, call.origin, call.spent);
      if (fixed.stopped || mode === "replay" || call.input === undefined) return fixed.withoutInput;
      const findings = askOfInput(view, fixed, tool, call, call.input);
      return findings.every((finding) => typeof finding === "string")
        ? sharedAllow(fixed, findings)
        : decide(withInput(fixed, findings), law, tool.contract);
    },
  };
}

type StaticDecision = {
  readonly tool: ContractTool;
  readonly reports: readonly Report[];
  readonly stopped: boolean;
  readonly withoutInput: Judgement;
  /** Allowing judgements made so far, by which gates applied: they are always the same ones. */
  readonly passed: Map<string, Judgement>;
  /** Whether a person must approve depends on the tool's effects alone. */
  readonly approval: Finding;
  readonly law: Law;
};

/** What a verdict says it was decided under. */
type Law = Pick<Verdict, "policyDigest" | "rules">;

function decideStatic(subject: Subject, mode: JudgeMode, law: Law): StaticDecision {
  const asked = staticGates.map(
    ([gate, check]): Report => [gate, unaskedIn[mode].get(gate) ?? check(subject)],
  );
  const reports: Report[] = [["tool.exists", "passed"], ...asked];
  const later = mode === "replay" ? "not_applicable" : "not_checked";
  const rest = inputGateNames.map((gate): Report => [gate, later]);
  return {
    tool: subject.tool,
    reports,
    stopped: reports.some(([, finding]) => typeof finding === "object"),
    withoutInput: decide([...reports, ...rest], law, subject.tool),
    passed: new Map(),
    approval: approvalGate(subject.tool, subject.levels),
    law,
  };
}

type Findings = readonly (Finding | "not_checked")[];

/** In order, and no further than the first that stops: a trade is not looked into when its input does not fit. */
function askOfInput(
  view: JudgeView,
  fixed: StaticDecision,
  tool: Tool,
  call: JudgedCall,
  input: JudgedInput,
): Findings {
  const { contract } = tool;
  const asksPerson = call.isApproved === true || isAsking(fixed.approval) || call.preTool?.outcome === "ask";
  const fits = inputGate(contract, input, checksOf(tool).input, asksPerson);
  if (typeof fits === "object" || input.type === "unreadable") return [fits, ...unasked(4)];
  const trade = tradeGate(contract, input.value, view.levels, view.matchesConfirm);
  if (typeof trade === "object") return [fits, trade, ...unasked(3)];
  const capability = capabilityGate(contract, input.value, view.network ?? closedNetwork, call.capability);
  if (typeof capability === "object") return [fits, trade, capability, ...unasked(2)];
  const preTool = askPreTool(view, call);
  if (typeof preTool === "object") return [fits, trade, capability, preTool, ...unasked(1)];
  return [fits, trade, capability, preTool, approvalOf(view, fixed, contract, call, input)];
}

/** B12: a yes for the session covers what was shown, and so nothing that is hidden. */
function approvalOf(
  { canAsk = true }: JudgeView,
  { approval }: StaticDecision,
  contract: ContractTool,
  call: JudgedCall,
  { hidden = [] }: Extract<JudgedInput, { type: "live" }>,
): Finding {
  const stop = hiddenGate(contract, hidden, canAsk);
  const asked = answered(call, approval);
  if (stop === undefined) return asked;
  const unseen = call.isByGrant === true ? stop : answered(call, stop);
  if (typeof unseen === "string") return asked;
  return typeof asked === "object" ? { ...unseen, reason: `${asked.reason}; ${unseen.reason}` } : unseen;
}

function isAsking(finding: Finding): boolean {
  return typeof finding === "object" && finding.outcome === "ask";
}

/** A1: an approval lifts what only a person could, and nothing else. */
function answered<Asked extends Finding | "not_checked">(
  { isApproved }: JudgedCall,
  asked: Asked,
): Asked | "passed" {
  return isApproved === true && typeof asked === "object" && asked.outcome === "ask" ? "passed" : asked;
}

function unasked(count: number): "not_checked"[] {
  return Array.from({ length: count }, () => "not_checked" as const);
}

function askPreTool({ hasPreTool }: JudgeView, call: JudgedCall): Finding | "not_checked" {
  const { preTool } = call;
  if (hasPreTool !== true) return "not_applicable";
  if (preTool === undefined) return "not_checked";
  const asked = preToolGate(preTool);
  return call.isByGrant === true ? asked : answered(call, asked);
}

function withInput({ reports }: StaticDecision, findings: Findings): Report[] {
  return [
    ...reports,
    ...inputGateNames.map((gate, index): Report => [gate, findings[index] ?? "not_checked"]),
  ];
}

function sharedAllow(fixed: StaticDecision, findings: Findings): Judgement {
  const key = findings.map(String).join();
  const known = fixed.passed.get(key);
  if (known !== undefined) return known;
  const made = decide(withInput(fixed, findings), fixed.law, fixed.tool);
  fixed.passed.set(key, made);
  return made;
}

function decide(reports: readonly Report[], law: Law, tool: ContractTool | undefined): Judgement {
  const stop = reports.find((report): report is readonly [Gate, Stop] => typeof report[1] === "object");
  const shared = {
    gates: reports.map(reportOf),
    ...law,
    ...(tool === undefined ? {} : { toolDigest: tool.digest }),
  };
  if (stop === undefined) {
    return freeze({ outcome: "allow", code: "allowed", reason: "no gate stopped it", ...shared });
  }
  const [gate, { outcome = "deny", code, reason, remedy, problem, said }] = stop;
  const verdict: Verdict = { outcome, gate, code, reason, remedy, ...shared };
  return freeze(verdict, { ...(problem && { problem }), ...(said !== undefined && { said }) });
}

function freeze(verdict: Verdict, more: Omit<Judgement, "verdict"> = {}): Judgement {
  for (const report of verdict.gates) Object.freeze(report);
  Object.freeze(verdict.gates);
  Object.freeze(verdict);
  return Object.freeze({ verdict, ...more });
}

function reportOf([gate, finding]: Report): GateReport {
  if (typeof finding === "string") return { gate, result: finding };
  return { gate, result: "stopped", detail: finding.reason };
}

function unknownTool(name: string, { tools }: ToolRegistry, law: Law): Verdict {
  const near = nearest(name, [...tools.keys()]);
  const rest = gates.slice(1).map((gate): Report => [gate, "not_checked"]);
  const stop: Stop = {
    code: "unknown_tool",
    reason: "there is no tool of this name",
    remedy:
      near.length === 0
        ? "use a tool's whole name, as the manifest has it"
        : `did you mean ${near.join(" or ")}?`,
  };
  return decide([["tool.exists", stop], ...rest], law, undefined).verdict;
}
