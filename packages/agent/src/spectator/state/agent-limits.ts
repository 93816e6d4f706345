import { InvalidInputError, refuseUnknown } from "@spfunctions/contracts";

/** How much a long-lived agent keeps. Characters are UTF-16 code units. */
export type AgentLimits = {
  /** Items of each list in its state; of constraints, those that are not the operator's. */
  readonly listItems: number;
  /** A goal, an open loop, a decision, a constraint. */
  readonly itemChars: number;
  readonly tagChars: number;
  readonly summaryChars: number;
  readonly recentMessages: number;
  readonly recentChars: number;
  /** What is told of one message that was condensed. */
  readonly lineChars: number;
  readonly traceTail: number;
  /** One revision as it is kept, in UTF-8. */
  readonly checkpointBytes: number;
  /** What is exported in one text, and what is imported. */
  readonly exportBytes: number;
};

/**
 * @limits chat | `limits: { … }` of `Spectator`
 */
export const defaultAgentLimits: AgentLimits = Object.freeze({
  /** @at what is new is refused, and the model is told; of decisions and tags the oldest goes; on import `invalid_input` */
  listItems: 64,
  /** @at it is refused, and the model is told; on import `invalid_input` */
  itemChars: 1000,
  /** A tag. @at it is refused; on import `invalid_input` */
  tagChars: 100,
  /** The summary of what was said before. @at the oldest of it is left out, and it is said how much */
  summaryChars: 8000,
  /** Messages that are shown word for word. @at the oldest are folded into the summary */
  recentMessages: 40,
  /** All messages that are shown word for word, together. @at the oldest are folded into the summary */
  recentChars: 48_000,
  /** @at it is cut */
  lineChars: 240,
  /** Names of logs of turns that a checkpoint knows. @at the oldest are forgotten */
  traceTail: 20,
  /** @at `invalid_input`, `details.limit`; condense it */
  checkpointBytes: 4 * 1024 * 1024,
  /** @at `invalid_input`, `details.limit`; export one revision */
  exportBytes: 64 * 1024 * 1024,
});

type Range = readonly [least: number, most: number];

/** What is kept must still be readable: a row of a store is read up to 16 MiB. A summary has room for the mark of what was left out. */
const ranges: { readonly [Key in keyof AgentLimits]: Range } = {
  listItems: [1, 10_000],
  itemChars: [1, 100_000],
  tagChars: [1, 10_000],
  summaryChars: [200, 1_000_000],
  recentMessages: [1, 100_000],
  recentChars: [1, 4_000_000],
  lineChars: [20, 10_000],
  traceTail: [0, 10_000],
  checkpointBytes: [1024, 12 * 1024 * 1024],
  exportBytes: [1024, 256 * 1024 * 1024],
};

/** The limits given, and for the others the usual ones. */
export function agentLimits(given: Partial<AgentLimits> = {}): AgentLimits {
  refuseUnknown(given, Object.keys(ranges), "limit");
  const limits = { ...defaultAgentLimits, ...withoutUndefined(given) };
  for (const [name, [least, most]] of Object.entries(ranges)) {
    const value = limits[name as keyof AgentLimits];
    if (Number.isInteger(value) && value >= least && value <= most) continue;
    throw new InvalidInputError(`the limit ${name} is a whole number from ${least} to ${most}`, {
      details: { path: name, reason: "bad_option" },
    });
  }
  return Object.freeze(limits);
}

function withoutUndefined(given: Partial<AgentLimits>): Partial<AgentLimits> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
