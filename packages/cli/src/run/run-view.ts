import type { ContractManifest, RuntimeEvent, RuntimeRunResult } from "@spfunctions/contracts";
import type { RunsSource } from "../children/told-children.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { WantedRun } from "./wanted-run.ts";

/** What is known before a run begins. */
export type RunTold = {
  readonly manifest: Pick<ContractManifest, "digest" | "tools">;
  /** Whose tools they are. */
  readonly where: string;
  readonly wanted: WantedRun;
  /** What its policy is called, where one was given. */
  readonly policyName?: string | undefined;
  /** Where the runs are that it starts. */
  readonly source: RunsSource;
};

/** How a run is shown to whoever has started it. */
export type RunView = {
  readonly begun: () => void;
  readonly opened: (told: RunTold) => void;
  readonly event: (event: RuntimeEvent) => void | Promise<void>;
  /** It was told to stop. */
  readonly cancelling: () => void;
  /** It has ended, or is left as it is. */
  readonly ended: (result: RuntimeRunResult) => void;
};

export type RunViewTerms = Pick<CommandContext, "print" | "io"> & {
  /** What is added to a command so that it finds the run. */
  readonly options: string;
};
