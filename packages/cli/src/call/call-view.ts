import type {
  AgentEvent,
  Approval,
  ContractManifest,
  SimpleFunctionsError,
  UnknownEffect,
} from "@spfunctions/contracts";
import type { AskedPlace } from "../approvals/say-what-is-asked.ts";
import type { CliIo } from "../io/cli-io.ts";
import type { Printer } from "../io/printer.ts";
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

/** What a call is shown with. */
export type ViewTerms = {
  readonly print: Printer;
  readonly env: CliIo["env"];
  /** Where its effects are journaled, and questions about it asked. */
  readonly place: AskedPlace;
  /** What is added to a command so that it has the same tools. */
  readonly tools: string;
};

/** How a call is shown to whoever made it. */
export type CallView = {
  readonly begun: () => void;
  readonly opened: (manifest: ContractManifest, recovery: Recovery) => void;
  /** `question`: what is known of the one that the event is about. */
  readonly event: (event: AgentEvent, question?: Approval) => void;
  readonly ended: (call: EndedCall) => void;
  /** Told beside the answer: what went wrong when everything was let go of. */
  readonly left: (trouble: SimpleFunctionsError) => void;
};
