import type { Approval, KeyedHash, SimpleFunctionsError } from "@spfunctions/contracts";
import type { DocumentWrite, Store } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";
import type { Ids } from "../time/ids.ts";

/** What approvals are kept with. */
export type ApprovalsHost = {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Made with the installation's secret: tells what it has kept from what somebody else has written. */
  readonly proves: KeyedHash;
  /** Tells of an approval whether what its approver has decided was ended since; it is not unless it is said. */
  readonly isDecisionEnded?: IsDecisionEnded | undefined;
};

export type IsDecisionEnded = (
  approval: Pick<Approval, "decidedBy" | "decidedAt" | "asker">,
) => Promise<boolean>;

/** What is written together with an answer, taken or refused. What it throws ends the answer, and nothing is written. */
export type AlsoWritten = (
  refused: SimpleFunctionsError | undefined,
) => Promise<{ readonly documents: readonly DocumentWrite[]; readonly wakes: readonly string[] }>;
