// A2: whoever answers is not who asked, and answers where no run, tool or hook can reach. The first answer stands (B8); every
// answer, taken or refused, is on record with whose it was (B9, B10).
import {
  type Approval,
  type ApprovalAnswer,
  type ApprovalStatus,
  type GrantId,
  InvalidInputError,
  isSimpleFunctionsError,
  NotFoundError,
  type Principal,
  parseAtDoor,
  givenPrincipalSchema,
  principalSchema,
  type SimpleFunctionsError,
  type StandingGrant,
} from "@spfunctions/contracts";
import { requireId } from "../call/require-id.ts";
import { safeText } from "../call/safe-text.ts";
import { CapabilityDesk } from "../capability/capability-desk.ts";
import { bindInstallation, requireInstallation } from "../installation/bind-installation.ts";
import { type Installation, processInstallation } from "../installation/installation.ts";
import { AccountJournal } from "../journal/account-journal.ts";
import type { AccountJournals } from "../journal/account-journals.ts";
import { unlessCorrupt } from "../journal/read-kept.ts";
import { draftRecord } from "../journal/record-draft.ts";
import type { GivenPrincipal } from "../seat/given-principal.ts";
import { requireParts } from "../seat/require-parts.ts";
import { documentsOf } from "../store/documents-of.ts";
import { approvalKind, grantKind } from "../store/kernel-kinds.ts";
import type { DocumentWrite, Store } from "../store/store.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { type Ids, randomIds } from "../time/ids.ts";
import { registryOf } from "../tool/registry.ts";
import { type Resolution, resolveEffect } from "../recovery/resolve-effect.ts";
import { answerRecord } from "./answer-record.ts";
import { approvalWake } from "./approval-wake.ts";
import { Approvals } from "./approvals.ts";
import type { AlsoWritten, ApprovalsHost } from "./approvals-host.ts";
import { approvalIn, grantIn, putApproval, putGrant } from "./kept-approval.ts";
import { forged, type Kept } from "../installation/proven.ts";
import {
  conflictOf,
  type IsInFamily,
  isSaidAgain,
  refusalOf,
  revokingRefusal,
  withdrawingRefusal,
} from "./may-answer.ts";
import { type SessionTerms, standingGrant } from "./session-grant.ts";
import { grantsOf } from "./standing-grants.ts";
import { readNote } from "./read-note.ts";
import { requireAnswer } from "./require-answer.ts";
import { sweepOver } from "./sweep-over.ts";

export type OperatorOptions = {
  readonly store: Store;
  /** Who answers: of kind `operator`, or a key with the scope `admin`, or one that a policy names among its approvers. */
  readonly principal: GivenPrincipal;
  /** The one that the store is used with. */
  readonly installation?: Installation | undefined;
  /** The journals of this process, where it writes more than answers. */
  readonly journals?: Pick<AccountJournals, "of"> | undefined;
  /** Whether another key is of the answerer's family, by what only the host knows. It answers and grants nothing of theirs then (A2). */
  readonly isInFamily?: IsInFamily | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: Ids | undefined;
};

export type AnswerTerms = {
  /** Said to whoever asked. */
  readonly note?: string | undefined;
};

/** Of what its tool could still settle nobody says so here. */
export type Found = Pick<Resolution, "status" | "note">;

const nothingElse: AlsoWritten = async () => ({ documents: [], wakes: [] });

/** Opens the other side of approvals: made by whoever puts a program together, and given to nothing that it runs. */
export function openOperator(options: OperatorOptions): Operator {
  return new Operator(options);
}

export class Operator {
  readonly #host: ApprovalsHost;
  readonly #approvals: Approvals;
  readonly #principal: Principal;
  readonly #journal: AccountJournal;
  readonly #ownsJournal: boolean;
  readonly #bound: () => Promise<void>;
  readonly #readable: () => Promise<unknown>;
  readonly #also: AlsoWritten;
  readonly #isInFamily: IsInFamily;
  /** What calls may reach besides what their policies say. */
  readonly capabilities: CapabilityDesk;

  constructor({ store, journals, installation, ...options }: OperatorOptions, also = nothingElse) {
    // Without a store there is nothing to answer.
    requireParts({ store: store ?? null, installation });
    const { clock = systemClock, ids = randomIds, isInFamily = async () => false } = options;
    const { keyHash: proves } = installation ?? processInstallation();
    this.#principal = parseAtDoor(
      // S1: where others write here, too, the names were given before.
      journals === undefined ? givenPrincipalSchema : principalSchema,
      options.principal,
      "principal",
      InvalidInputError,
    );
    this.#host = { store, clock, ids, proves };
    this.#approvals = new Approvals(this.#host);
    const { accountId } = this.#principal;
    const terms = { accountId, manifestDigest: registryOf([]).manifest.digest, segmentRecords: 20_000 };
    this.#journal =
      journals?.of(accountId) ??
      new AccountJournal({ store, clock, ids }, { ...terms, signer: installation?.signer });
    this.#ownsJournal = journals === undefined;
    this.#also = also;
    this.#isInFamily = isInFamily;
    this.#bound = async () => await bindInstallation(store, installation, clock.now());
    // Where others write here, too, the store was tied before.
    this.#readable = async () => journals ?? (await requireInstallation(store, installation));
    this.capabilities = new CapabilityDesk({
      host: this.#host,
      by: this.#principal,
      journal: this.#journal,
      bound: this.#bound,
      readable: this.#readable,
      also,
      isInFamily,
    });
  }

  /** The account's approvals, oldest first; those that wait for an answer unless another status is asked for. */
  async list({ status = "pending" }: { readonly status?: ApprovalStatus | "any" } = {}): Promise<Approval[]> {
    await this.#readable();
    const { store } = this.#host;
    const found: Approval[] = [];
    const wanted = status === "any" ? undefined : status;
    for await (const document of documentsOf(store, approvalKind, this.#principal.accountId, wanted)) {
      const kept = unlessCorrupt(() => approvalIn(document, this.#host.proves));
      if (kept !== undefined && (status !== "pending" || !this.#approvals.isOver(kept.value)))
        found.push(kept.value);
    }
    return found.toSorted((one, other) => inOrder(one.createdAt, other.createdAt));
  }

  async get(approvalId: string): Promise<Approval> {
    requireId(approvalId, "approval");
    await this.#readable();
    const found = await this.#find(approvalId);
    if (isSimpleFunctionsError(found)) throw found;
    return found.value;
  }

  /** Approves exactly the call that was asked about, once. */
  async approve(approvalId: string, terms: AnswerTerms = {}): Promise<Approval> {
    return await this.#answer(approvalId, "approved", terms);
  }

  /** Approves it, and what is like it, until the grant ends. */
  async approveForSession(approvalId: string, terms: AnswerTerms & SessionTerms = {}): Promise<Approval> {
    return await this.#answer(approvalId, "approved_for_session", terms);
  }

  async deny(approvalId: string, terms: AnswerTerms = {}): Promise<Approval> {
    return await this.#answer(approvalId, "denied", terms);
  }

  /** Takes back a yes that no call has used: the call that waits for it ends, and made again it is asked about again. */
  async withdraw(approvalId: string, terms: AnswerTerms = {}): Promise<Approval> {
    requireId(approvalId, "approval");
    requireAnswer(terms);
    await this.#bound();
    const note = readNote(terms.note);
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- again only when it was used or ended meanwhile
      const kept = await this.#find(approvalId);
      if (isSimpleFunctionsError(kept)) throw kept;
      const refusal = withdrawingRefusal(this.#principal, kept.value);
      if (refusal !== undefined) throw refusal;
      const { approval: decided, writes } = this.#approvals.ended(kept, "superseded");
      const answering = { id: approvalId, answer: "denied", kept, note, decided, writes } as const;
      // oxlint-disable-next-line no-await-in-loop -- see above
      if (await this.#record(answering)) return decided;
    }
  }

  async grants(): Promise<StandingGrant[]> {
    await this.#readable();
    const found: StandingGrant[] = [];
    for await (const { value } of grantsOf(this.#host, this.#principal.accountId, "standing"))
      if (!this.#approvals.isOver(value)) found.push(value);
    return found;
  }

  /** Ends a standing grant; what it has approved so far stays approved. */
  async revoke(id: string): Promise<void> {
    requireId(id, "grant");
    await this.#bound();
    const { store, proves } = this.#host;
    const by = this.#principal;
    for (let isWritten = false; !isWritten; ) {
      // oxlint-disable-next-line no-await-in-loop -- again only when it was used meanwhile
      const document = await store.document({ kind: grantKind, accountId: by.accountId, id });
      const kept = document && unlessCorrupt(() => grantIn(document, proves));
      if (kept === undefined || document?.status !== "standing") throw noSuchGrant(id);
      const { value, revision } = kept;
      const refusal = revokingRefusal(by, value);
      if (refusal !== undefined) throw refusal;
      const write = putGrant({ ...value, revokedBy: by }, revision, proves);
      const record = draftRecord("grant.revoked", { grantId: value.grantId, by });
      // oxlint-disable-next-line no-await-in-loop -- see above
      const { documents, wakes } = await this.#also(undefined);
      const draft = { durability: "power", records: [record], documents: [write, ...documents] } as const;
      // oxlint-disable-next-line no-await-in-loop -- see above
      isWritten = (await this.#journal.open({ ...draft, wakes })).written.type === "written";
    }
  }

  /** Keeps what a person found out about an effect of which nobody knows what became. */
  async resolve(effectId: string, resolution: Found): Promise<void> {
    await this.#bound();
    const [journal, principal, also] = [this.#journal, this.#principal, this.#also];
    await resolveEffect({ ...this.#host, journal, principal, also }, effectId, resolution);
  }

  async close(): Promise<void> {
    if (this.#ownsJournal) await this.#journal.close();
  }

  async #answer(id: string, answer: ApprovalAnswer, terms: AnswerTerms & SessionTerms): Promise<Approval> {
    requireId(id, "approval");
    requireAnswer(terms);
    await this.#bound();
    const note = readNote(terms.note);
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- again only when somebody else was first
      const found = await this.#find(id);
      const kept = isSimpleFunctionsError(found) ? undefined : found;
      // Said once more, it changes nothing, and nothing is written.
      if (kept !== undefined && isSaidAgain(this.#principal, kept.value, answer)) return kept.value;
      const decided = isSimpleFunctionsError(found)
        ? found
        : // oxlint-disable-next-line no-await-in-loop -- see above
          await this.#decided(found, answer, { ...terms, note });
      if (isSimpleFunctionsError(decided)) {
        // oxlint-disable-next-line no-await-in-loop -- see above
        await this.#record({ id, answer, kept, note, error: decided });
        throw decided;
      }
      const { approval } = decided;
      // B13: the same call, made again, is told no without asking anybody once more.
      // oxlint-disable-next-line no-await-in-loop -- see above
      const findable = answer === "denied" ? [await this.#approvals.findable(approval)] : [];
      const writes = [...decided.writes, ...findable];
      // oxlint-disable-next-line no-await-in-loop -- see above
      if (await this.#record({ id, answer, kept, note, decided: approval, writes })) {
        // oxlint-disable-next-line no-await-in-loop -- see above
        await sweepOver(this.#host, this.#principal.accountId).catch(() => undefined);
        return approval;
      }
    }
  }

  /** An approval, or why there is none: B22, one that this installation did not write is none either, and is said to be. */
  async #find(id: string): Promise<Kept<Approval> | SimpleFunctionsError> {
    const { store, proves } = this.#host;
    const { accountId } = this.#principal;
    const document = await store.document({ kind: approvalKind, accountId, id });
    if (document === undefined) return noSuch(id);
    return unlessCorrupt(() => approvalIn(document, proves)) ?? forged(document);
  }

  /** What an answer makes of an approval, or why it makes nothing of it. */
  async #decided(
    { value, revision }: Kept<Approval>,
    answer: ApprovalAnswer,
    terms: AnswerTerms & SessionTerms,
  ): Promise<Decided | SimpleFunctionsError> {
    const { asker } = value;
    const refusal = refusalOf(this.#principal, value, answer, {
      isOver: this.#approvals.isOver(value),
      conflict: await conflictOf(this.#principal, { asker, question: value }, this.#isInFamily),
    });
    if (refusal !== undefined) return refusal;
    try {
      const { approval, writes } = this.#decide(value, answer, terms);
      return { approval, writes: [putApproval(approval, revision, this.#host.proves), ...writes] };
    } catch (error) {
      if (isSimpleFunctionsError(error)) return error;
      throw error;
    }
  }

  #decide(approval: Approval, answer: ApprovalAnswer, terms: AnswerTerms & SessionTerms): Decided {
    const { clock, ids, proves } = this.#host;
    const { note } = terms;
    const now = clock.now();
    const decided = {
      ...approval,
      status: answer,
      decidedBy: this.#principal,
      decidedAt: new Date(now).toISOString(),
      ...(note !== undefined && { note }),
    };
    if (answer !== "approved_for_session") return { approval: decided, writes: [] };
    const grantId = `grant_${ids.unique()}` as GrantId;
    const grant = standingGrant(approval, { grantId, grantedBy: this.#principal, now }, terms);
    return { approval: { ...decided, grantId }, writes: [putGrant(grant, 0, proves)] };
  }

  /** Whether it was written: not where somebody has answered meanwhile. */
  async #record({ id, answer, kept, note, error, decided, writes = [] }: Answering): Promise<boolean> {
    const record = answerRecord(this.#host.ids, {
      id,
      answer,
      by: this.#principal,
      note,
      found: kept?.value,
      decided,
      error,
    });
    const also = await this.#also(error);
    const documents = [...writes, ...also.documents];
    const wakes = [...(decided ? [approvalWake(decided.approvalId)] : []), ...also.wakes];
    const until = decided && Date.parse(decided.expiresAt);
    const draft = { durability: "power", records: [record], documents, wakes, until } as const;
    return (await this.#journal.open(draft)).written.type === "written";
  }
}

type Decided = { readonly approval: Approval; readonly writes: readonly DocumentWrite[] };

type Answering = {
  readonly id: string;
  readonly answer: ApprovalAnswer;
  readonly kept: Kept<Approval> | undefined;
  readonly note: string | undefined;
  readonly error?: SimpleFunctionsError | undefined;
  readonly decided?: Approval | undefined;
  readonly writes?: readonly DocumentWrite[] | undefined;
};

/** Oldest first. */
function inOrder(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function noSuchGrant(grantId: string): NotFoundError {
  return new NotFoundError(`there is no standing grant ${safeText(grantId, 100)} in this account`);
}

function noSuch(approvalId: string): NotFoundError {
  if (!approvalId.startsWith("appr_"))
    return new NotFoundError(
      "an approval's id begins with appr_, and there is none of this id in this account; see which ones wait for an answer",
    );
  return new NotFoundError(
    `there is no approval ${safeText(approvalId, 100)} in this account; see which ones wait for an answer`,
  );
}
