import type { Approval, ApprovalAnswer, ApprovalStatus, StandingGrant } from "@spfunctions/contracts";
import type { AnswerTerms, CapabilityAnswers, SessionTerms } from "@spfunctions/kernel";
import type { Driving } from "../runs/is-nobodys.ts";
import type { Resumable } from "../runs/what-it-needs.ts";

/** What a person says; the terms are for a whole session. */
export type GivenAnswer = AnswerTerms & SessionTerms & { readonly answer: ApprovalAnswer };

/** Where questions to people are kept, and what an operator does there. */
export type ApprovalDesk = {
  /** An address, or a folder. */
  readonly where: string;
  /** What is added to a command of `sf approvals` or `sf grants` so that it looks here. */
  readonly options: string;
  /** Whether it shows only what the key may see that it is asked with. */
  readonly isByKey: boolean;
  /** Whose journals are there, as far as that is seen: a key sees one account. */
  readonly accounts: () => Promise<readonly string[]>;
  /** With which run one goes on (itself, unless it is somebody's child), and who drives that. A platform drives its own. */
  readonly driverOf?: (runId: string) => Promise<{ readonly master: Resumable; readonly driving: Driving }>;
  readonly list: (status: ApprovalStatus | "any") => Promise<readonly Approval[]>;
  readonly get: (approvalId: string) => Promise<Approval>;
  readonly answer: (approvalId: string, given: GivenAnswer) => Promise<Approval>;
  readonly grants: () => Promise<readonly StandingGrant[]>;
  readonly revoke: (grantId: string) => Promise<void>;
  /** What calls may reach, and saying so. */
  readonly capabilities: CapabilityAnswers;
  readonly close: () => Promise<void>;
};
