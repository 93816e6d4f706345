import type { JsonValue, Principal, RunId, RuntimePackage } from "@spfunctions/contracts";
import type { WatchRun } from "../run/driver/live-run.ts";
import type { AsChild } from "../run/open-run.ts";
import type { RunHandle } from "../run/run-handle.ts";
import type { ChildMessage } from "./fold-child.ts";

export type NeverBegins = { readonly neverBegins: string };

/** The runs of one child's package, as far as whoever looks after children needs them. */
export type ChildHost = {
  readonly package: RuntimePackage;
  /** Begins a child, or takes it on where it has begun: by its name it begins once. Or why it never will. */
  readonly beginChild: (
    child: AsChild,
    terms: {
      /** Nothing where it was erased. */
      readonly objective: () => Promise<JsonValue | undefined>;
      readonly traceId: string;
      readonly watch?: WatchRun | undefined;
    },
  ) => Promise<RunHandle | NeverBegins>;
  /** Takes a child on where nobody else drives it: whether it is driven here, or has ended. */
  readonly takeOn: (child: Pick<AsChild, "runId" | "tree">) => Promise<boolean>;
  /** Stops driving a run, as it stands, with what is below it. */
  readonly leave: (runId: string) => Promise<void>;
  readonly get: (runId: string) => Promise<RunHandle>;
  /** How far a run that is driven here has come. */
  readonly seqOf: (runId: RunId) => number;
  /** Until it has come further, or is driven no more: whether it goes on by itself. */
  readonly untilPast: (runId: RunId, seq: number, signal: AbortSignal) => Promise<boolean>;
  /** Once for each message, also where it is told so again. Whether it was: not where it has ended before. */
  readonly tellChild: (runId: RunId, message: ChildMessage) => Promise<boolean>;
  /** Whether it is so from here on: not where it has ended. */
  readonly ownChild: (runId: RunId, owner: "parent" | "host") => Promise<boolean>;
  readonly cancel: (runId: string, by?: Principal) => Promise<void>;
  /** Until a child that is being started, or taken on, is there, at whichever depth. */
  readonly begun: (runId: RunId) => Promise<void>;
  /** What drives a run, where that is one of these or below them. */
  readonly driving: (runId: string) => ChildHost | undefined;
  /** Whether any run is driven, here or below. */
  readonly isDriving: boolean;
  readonly close: () => Promise<void>;
};
