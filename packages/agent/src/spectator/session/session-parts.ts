import type { Clock } from "@spfunctions/kernel";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import type { Memory } from "../memory/memory.ts";
import type { SpectatorLimits } from "../read-limits.ts";
import type { SpectatorOptions, Trouble } from "../spectator-options.ts";
import type { AgentErasures } from "./agent-erasures.ts";
import type { Summariser } from "./summarise.ts";
import type { TurnTerms } from "../turn/fold-turn.ts";
import type { TurnRuns } from "../turn/turn-runs.ts";

/** What the sessions of one agent have in common. */
export type SessionParts = {
  readonly turns: TurnRuns;
  readonly checkpoints: Checkpoints;
  readonly memory: Memory;
  readonly summariser: Summariser;
  readonly erasures: AgentErasures;
  readonly clock: Pick<Clock, "now">;
  readonly limits: SpectatorLimits;
  readonly terms: TurnTerms;
  readonly turnLog: SpectatorOptions["turnLog"];
  readonly autoCondense: "now" | "smart";
  readonly trouble: (trouble: Trouble) => void;
};
