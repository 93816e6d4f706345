import type { SpectatorEvent, TurnResult } from "@spfunctions/agent/spectator";
import type { Runs } from "@spfunctions/kernel";
import type { RunsSource } from "../children/told-children.ts";
import type { CommandContext } from "../command-line/command-context.ts";

/** How a turn is shown to whoever has begun it. */
export type TurnView = {
  /** Each is shown before the next. */
  readonly event: (event: SpectatorEvent) => void | Promise<void>;
  /** Whatever is printed next stands on a line of its own. */
  readonly pause: () => void;
  /** It was told to stop. */
  readonly cancelling: () => void;
  /** It has ended, or is left as it is. */
  readonly ended: (result: TurnResult) => void;
};

export type TurnViewTerms = Pick<CommandContext, "print" | "io"> & {
  /** What is added to a command so that it finds the turn. */
  readonly options: string;
  readonly runs: Pick<Runs, "read">;
  readonly source: RunsSource;
};
