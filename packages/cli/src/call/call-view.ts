import type {
  AgentEvent,
  ContractManifest,
  SimpleFunctionsError,
  UnknownEffect,
} from "@spfunctions/contracts";
import type { CallOutcome, RecoveryReport, Signer } from "@spfunctions/kernel";

/** What was found when the data folder was opened. */
export type Recovery = {
  /** What a crash had left, and what became of it now. */
  readonly settled: RecoveryReport["settled"];
  /** Effects of earlier crashes that still wait for a person. */
  readonly unknown: readonly UnknownEffect[];
};

/** A call that is over. */
export type EndedCall = {
  readonly outcome: CallOutcome;
  readonly signer?: Signer | undefined;
  /** What went wrong after the call had ended and was journaled. */
  readonly trouble?: SimpleFunctionsError | undefined;
};

/** How a call is shown to whoever made it. */
export type CallView = {
  readonly begun: () => void;
  readonly opened: (manifest: ContractManifest, recovery: Recovery) => void;
  readonly event: (event: AgentEvent) => void;
  readonly ended: (call: EndedCall) => void;
};
