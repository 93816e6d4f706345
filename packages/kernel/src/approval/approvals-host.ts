import type { Approval, KeyedHash, Principal, SimpleFunctionsError } from "@spfunctions/contracts";
import type { DocumentWrite, Store } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";
import type { Ids } from "../time/ids.ts";
import type { AskedQuestion } from "./may-answer.ts";

/** What approvals are kept with. */
export type ApprovalsHost = {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Made with the installation's secret: tells what it has kept from what somebody else has written. */
  readonly proves: KeyedHash;
  /** Tells whether what somebody has decided counts for nothing by now; it counts unless it is said. */
  readonly isDecisionOver?: IsDecisionOver | undefined;
};

/** A yes or a grant that a key would use, and who has given it. `question`: what was asked, if it is a yes. */
export type Decision = Pick<Approval, "decidedBy" | "decidedAt"> &
  Pick<Principal, "accountId" | "keyId"> & { readonly question?: AskedQuestion | undefined };

export type IsDecisionOver = (decision: Decision) => Promise<boolean>;

/** What is written together with an answer, taken or refused. What it throws ends the answer, and nothing is written. */
export type AlsoWritten = (
  refused: SimpleFunctionsError | undefined,
) => Promise<{ readonly documents: readonly DocumentWrite[]; readonly wakes: readonly string[] }>;
