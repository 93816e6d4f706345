// J3: one process writes. Whoever stands beside it leaves an operator's word in the inbox; the process that drives the store takes
// it, by the same code as its own operators, and says in the same commit what became of it.
import {
  type AccountId,
  type ApprovalErrand,
  ForbiddenError,
  isSimpleFunctionsError,
  NotFoundError,
  type Principal,
  type SimpleFunctionsError,
  TimeoutError,
} from "@spfunctions/contracts";
import type { Installation } from "../installation/installation.ts";
import type { AccountJournal } from "../journal/account-journal.ts";
import type { AccountJournals } from "../journal/account-journals.ts";
import { documentsOf } from "../store/documents-of.ts";
import { inboxKind } from "../store/kernel-kinds.ts";
import { isUnwritten } from "../store/is-outage.ts";
import type { Store, StoredDocument } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";
import type { Ids } from "../time/ids.ts";
import {
  errandIn,
  errandWake,
  type InboxStatus,
  inboxWake,
  isInboxWake,
  outcomeIn,
  putOutcome,
} from "./inbox.ts";
import { inboxLooksOf } from "./inbox-looks.ts";
import type { IsInFamily } from "./may-answer.ts";
import { Operator } from "./open-operator.ts";

export type InboxHost = {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly installation: Installation;
  readonly journal: AccountJournal;
  readonly accountId: string;
  /** Tells which keys are of the family of whoever has left something. */
  readonly familyOf?: ((by: Principal) => IsInFamily) | undefined;
};

type InboxesHost = Omit<InboxHost, "journal" | "accountId"> & {
  readonly journals: Pick<AccountJournals, "of">;
};

export type TendedInbox = {
  /** What lay there is taken. */
  readonly first: Promise<void>;
  /** Takes nothing more, once what is under way is done. */
  readonly stop: () => Promise<void>;
};

/** How long an outcome lies there for somebody who does not come for it. */
const keptMs = 60_000;

/** Takes what is left in an account's inbox, now and whenever something new may be there. */
export function tendInbox(host: InboxHost): TendedInbox {
  const isIts = (key: string) => key === inboxWake(host.accountId);
  return tend(host, isIts, async () => await takeAll(host), host.accountId);
}

/** The same for all accounts, where one process writes the journals of them all. */
export function tendInboxes({ journals, ...host }: InboxesHost): TendedInbox {
  return tend(host, isInboxWake, async () => {
    const left: InboxStatus = "left";
    for (const accountId of await host.store.accountsWith(inboxKind, left)) {
      // oxlint-disable-next-line no-await-in-loop -- a handful, and rarely
      await takeAll({ ...host, accountId, journal: journals.of(accountId as AccountId) });
    }
  });
}

/** `accountId`: whose inbox it is; all of them unless given. */
function tend(
  { store, clock }: Pick<InboxHost, "store" | "clock">,
  isOurs: (key: string) => boolean,
  takeAllNow: () => Promise<void>,
  accountId?: string,
): TendedInbox {
  let taking: Promise<void> | undefined;
  let isAgain = false;
  const take = (): Promise<void> => {
    isAgain = true;
    taking ??= (async () => {
      try {
        while (isAgain) {
          isAgain = false;
          // oxlint-disable-next-line no-await-in-loop -- once for everything that was left meanwhile
          await takeAllNow();
        }
      } catch {
        // What could not be taken now is with the next that comes, or when the store is opened next.
      } finally {
        taking = undefined;
      }
    })();
    return taking;
  };
  const unlisten = store.listen((key) => {
    if (key === undefined || isOurs(key)) void take();
  });
  const stopLooking = inboxLooksOf(store, clock).add(() => void take(), accountId);
  const stop = async () => {
    unlisten();
    stopLooking();
    isAgain = false;
    await taking;
  };
  return { first: take(), stop };
}

async function takeAll(host: InboxHost): Promise<void> {
  for await (const document of inboxOf(host, "left")) await takeOne(host, document);
  for await (const document of inboxOf(host, "done")) await sweep(host, document);
}

function inboxOf({ store, accountId }: InboxHost, status: InboxStatus): AsyncGenerator<StoredDocument> {
  return documentsOf(store, inboxKind, accountId, status);
}

async function takeOne(host: InboxHost, document: StoredDocument): Promise<void> {
  const { store, clock, ids, installation, journal } = host;
  const errand = errandIn(document, installation.keyHash);
  if (errand === undefined) return await tell(host, document, forged(document));
  if (clock.now() > Date.parse(errand.until)) return await tell(host, document, tooLate(errand));
  let isTold = false;
  const also = async (error: SimpleFunctionsError | undefined) => {
    await requireStillLeft(host, document);
    isTold = true;
    return {
      documents: [putOutcome(document, error, clock.now(), installation.keyHash)],
      wakes: [errandWake(document.id)],
    };
  };
  const isInFamily = host.familyOf?.(errand.by);
  const principal = errand.by;
  const terms = { store, clock, ids, installation, principal, isInFamily, journals: { of: () => journal } };
  try {
    await run(new Operator(terms, also), errand);
    // What was only said once more has written nothing.
    if (!isTold) await tell(host, document, undefined);
  } catch (error) {
    if (!isSimpleFunctionsError(error) || isUnwritten(error)) throw error;
    // Of a refusal that is on record the outcome is there already.
    await tell(host, document, error);
  }
}

async function run(operator: Operator, errand: ApprovalErrand): Promise<void> {
  if (errand.type === "revoke") return await operator.revoke(errand.grantId);
  if (errand.type === "capability") return void (await operator.capabilities.answer(errand));
  if (errand.type === "effect") return await operator.resolve(errand.effectId, errand);
  const { approvalId, answer, note, terms = {} } = errand;
  const said = note === undefined ? {} : { note };
  switch (answer) {
    case "approved":
      return void (await operator.approve(approvalId, said));
    case "approved_for_session":
      return void (await operator.approveForSession(approvalId, { ...said, ...terms }));
    case "denied":
      return void (await operator.deny(approvalId, said));
  }
}

async function tell(
  host: InboxHost,
  document: StoredDocument,
  error: SimpleFunctionsError | undefined,
): Promise<void> {
  const { store, clock, installation } = host;
  const now = clock.now();
  await store.commit({
    durability: "power",
    now,
    documents: [putOutcome(document, error, now, installation.keyHash)],
    wakes: [errandWake(document.id)],
  });
}

/** What nobody has come for, and what is no outcome of ours, is cleared away. */
async function sweep({ store, clock, installation }: InboxHost, document: StoredDocument): Promise<void> {
  const now = clock.now();
  const outcome = outcomeIn(document, installation.keyHash);
  const age = outcome === undefined ? Number.POSITIVE_INFINITY : now - Date.parse(outcome.at);
  if (Math.abs(age) < keptMs) return;
  const { kind, accountId, id, revision: expects } = document;
  const remove = { type: "remove", kind, accountId, id, expects } as const;
  await store.commit({ durability: "process", now, documents: [remove] });
}

/** Whoever left it may have taken it back, and another seat of this account may have been first. */
async function requireStillLeft({ store }: InboxHost, { kind, accountId, id, revision }: StoredDocument) {
  const now = await store.document({ kind, accountId, id });
  if (now?.revision === revision) return;
  throw new NotFoundError(`${id} lies in the inbox no more: it was taken, or taken back`);
}

/** Whoever left it was told that nothing is decided; whoever puts it back later decides nothing either. */
function tooLate({ id, until }: ApprovalErrand): TimeoutError {
  return new TimeoutError(`${id} was to be taken until ${until}: nothing is decided. Answer again`, {
    details: { reason: "not_taken" },
  });
}

function forged({ id }: StoredDocument): ForbiddenError {
  return new ForbiddenError(
    `${id} was not left by this installation: it counts for nothing. Answer with the installation's own secret`,
    { details: { reason: "no_proof" } },
  );
}
