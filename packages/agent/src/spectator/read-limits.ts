import { refuseUnknown } from "@spfunctions/contracts";
import { bad } from "../given-options.ts";
import { type AnswerLimits, answerLimits } from "./protocol/answer-limits.ts";
import { type AgentLimits, agentLimits, defaultAgentLimits } from "./state/agent-limits.ts";
import { defaultTurnLimits, type TurnLimits } from "./turn/turn-limits.ts";

/** How much there may be of everything, each by its name. */
export type SpectatorLimits = AgentLimits & AnswerLimits & TurnLimits;

const own = { ...answerLimits, ...defaultTurnLimits };

export function readLimits(given: Partial<SpectatorLimits> = {}): SpectatorLimits {
  refuseUnknown(given, Object.keys({ ...defaultAgentLimits, ...own }), "limit");
  const isOwn = (name: string) => Object.hasOwn(own, name);
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  const wrong = said.find(([name, value]) => isOwn(name) && !(Number.isSafeInteger(value) && value >= 0));
  if (wrong !== undefined)
    throw bad(`/limits/${wrong[0]}`, `the limit ${wrong[0]} is a whole number of 0 or more`);
  const ours = Object.fromEntries(said.filter(([name]) => isOwn(name)));
  const state = Object.fromEntries(said.filter(([name]) => !isOwn(name)));
  return Object.freeze({ ...agentLimits(state), ...own, ...ours });
}

/** Those of what is kept from turn to turn. */
export function agentLimitsIn(limits: SpectatorLimits): AgentLimits {
  const names = Object.keys(defaultAgentLimits) as (keyof AgentLimits)[];
  return Object.fromEntries(names.map((name) => [name, limits[name]])) as AgentLimits;
}
