// A recorded call before the judge once more: `compileJudge` decides, and here the call is only set before it. A record hides
// secrets, which a schema would trip over, so that what was found about its input is given and not found out again.
import {
  buildManifest,
  canonicalJson,
  type ContractTool,
  type HiddenPart,
  type JsonObject,
  type JsonValue,
  type Origin,
  policyDigest,
  type PolicyLevel,
  type Principal,
  type TradeFacts,
  type TradePointers,
  type Verdict,
} from "@spfunctions/contracts";
import type { Tool } from "../tool/define-tool.ts";
import { prepareTool } from "../tool/tool-checks.ts";
import type { JudgedInput, PolicyAnswer } from "./input-gates.ts";
import { compileJudge, type Judge, type JudgedCall } from "./judge.ts";

/** A call of which only a record is left. */
export type RecordedSubject = {
  /** The contract that it was made under. */
  readonly contract: ContractTool;
  readonly principal: Principal;
  readonly origin: Origin;
  readonly surface: "agent" | "plain";
  readonly mode: "live" | "replay";
  /** Absent: what needs an input is not checked. */
  readonly input?: RecordedInput | undefined;
  /** What the host's own policy said; absent where there was none. */
  readonly preTool?: PolicyAnswer | undefined;
  /** Whether a person can be asked about a hidden part; true unless it is said. */
  readonly canAsk?: boolean | undefined;
};

export type RecordedInput = {
  /** What the input gate found: it looks at the contract and the input alone, and so finds it under every policy. */
  readonly fits: boolean;
  /** As it was recorded; null where nothing is left of it. */
  readonly value: JsonValue;
  /** What the trade gate is to look at, where the call is a trade. */
  readonly facts: Omit<TradeFacts, "confirm">;
  /** Whether it carries the word that confirms it, which no record has. */
  readonly isConfirmed: boolean;
  /** Whether it had a capability that it needs: no policy says so. */
  readonly isReached: boolean;
  /** The parts of it that nobody was shown, and of which nobody had said what they are. */
  readonly hidden?: readonly HiddenPart[] | undefined;
};

export type Rejudge = {
  /** Whether a verdict was made under these policies. The host's rules are in its digest, and what they said is on record. */
  readonly isUnder: (verdict: Pick<Verdict, "policyDigest" | "rules">) => boolean;
  readonly rejudge: (subject: RecordedSubject) => Verdict;
};

/** Judges recorded calls by policies of one's own. */
export function compileRejudge(levels: readonly PolicyLevel[]): Rejudge {
  const judges = new Map<string, Judge>();
  const digest = policyDigest(levels);
  return {
    isUnder: ({ policyDigest: then, rules }) =>
      then === (rules === undefined ? digest : policyDigest(levels, rules)),
    rejudge(subject) {
      const { contract, origin, input, preTool } = subject;
      const key = seatKey(subject);
      const judge = judges.get(key) ?? judgeOf(subject, levels);
      judges.set(key, judge);
      const asked = { tool: contract.name, origin, ...(input && judgedForm(input)) };
      return judge.judge(preTool === undefined ? asked : { ...asked, preTool }).verdict;
    },
  };
}

function seatKey({ contract, principal, surface, mode, preTool, canAsk }: RecordedSubject): string {
  return canonicalJson([contract.digest, principal, surface, mode, preTool !== undefined, canAsk !== false]);
}

const rightWord = "the right word";
/** Of no tools: what is judged here was registered elsewhere. */
const noManifest = buildManifest([], "review");

function judgeOf(
  { contract, principal, surface, mode, preTool, canAsk }: RecordedSubject,
  levels: readonly PolicyLevel[],
): Judge {
  return compileJudge({
    registry: { manifest: noManifest, tools: new Map([[contract.name, standIn(contract)]]) },
    levels,
    principal,
    surface,
    mode,
    hasPreTool: preTool !== undefined,
    matchesConfirm: (given) => given === rightWord,
    canAsk,
  });
}

/** The contract, taking every input, with its trade's facts beside the input instead of in it. */
function standIn(contract: ContractTool): Tool {
  const { trade, capability } = contract;
  const tool: Tool = {
    contract: {
      ...contract,
      input: {},
      output: {},
      ...(trade && { trade: besideInput(trade) }),
      ...(capability && { capability: { ...capability, url: "/reach" } }),
    },
  };
  prepareTool(tool, { input: {}, output: {} });
  return tool;
}

function besideInput(trade: TradePointers): TradePointers {
  return Object.fromEntries(Object.keys(trade).map((fact) => [fact, `/facts/${fact}`])) as TradePointers;
}

/** Where it wanted to go may be hidden, and was judged then. */
const reach = "https://reached.example/";

function judgedForm(recorded: RecordedInput): Pick<JudgedCall, "input" | "capability"> {
  const input = inputForm(recorded);
  return recorded.isReached ? { input, capability: "passed" } : { input };
}

function inputForm({ fits, value, facts, isConfirmed, hidden }: RecordedInput): JudgedInput {
  if (!fits)
    return { type: "unreadable", problem: { path: "", reason: "recorded", message: "does not fit" } };
  const given = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
  const trade = { ...given, confirm: isConfirmed ? rightWord : null } as JsonObject;
  // Without its text: a placeholder in it is what the record shows, not what was sent.
  return { type: "live", text: "", value: { value, facts: trade, reach }, hidden };
}
