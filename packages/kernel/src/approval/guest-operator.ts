// An operator beside the process that drives the store: it reads for itself, and leaves its word in the inbox.
import {
  type Approval,
  type ApprovalAnswer,
  type ApprovalErrand,
  type ApprovalStatus,
  CancelledError,
  type CapabilityAnswer,
  type CapabilityGrant,
  canonicalJson,
  errorFor,
  InvalidInputError,
  InvalidTransitionError,
  type Principal,
  parseAtDoor,
  givenPrincipalSchema,
  type StandingGrant,
  TimeoutError,
} from "@spfunctions/contracts";
import {
  type CapabilityAnswers,
  type GrantTerms,
  requireGrantTerms,
  requireOpenNames,
} from "../capability/capability-desk.ts";
import { requireId } from "../call/require-id.ts";
import { safeText } from "../call/safe-text.ts";
import type { Installation } from "../installation/installation.ts";
import { requireInstallation } from "../installation/bind-installation.ts";
import { readResolution } from "../recovery/resolve-effect.ts";
import { effectKind, inboxKind } from "../store/kernel-kinds.ts";
import type { StoredDocument } from "../store/store.ts";
import { Waits } from "../store/waits.ts";
import { isAborted } from "../time/abort-signal.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { type Ids, randomIds } from "../time/ids.ts";
import { errandWake, inboxWake, outcomeIn, putErrand } from "./inbox.ts";
import {
  type AnswerTerms,
  type Found,
  type Operator,
  type OperatorOptions,
  openOperator,
} from "./open-operator.ts";
import { requireAnswer } from "./require-answer.ts";
import type { SessionTerms } from "./session-grant.ts";

/** What an operator does, wherever it stands. */
export type OperatorDesk = Pick<
  Operator,
  "list" | "get" | "approve" | "approveForSession" | "deny" | "grants" | "revoke" | "resolve" | "close"
> & { readonly capabilities: CapabilityAnswers };

export type GuestOperatorOptions = Omit<OperatorOptions, "journals" | "isInFamily"> & {
  /** What is left in the inbox is proved with it. */
  readonly installation: Installation;
  /** How long the driver has to take it, in milliseconds. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
};

/** Opens an operator on a store that another process drives. */
export function openGuestOperator(options: GuestOperatorOptions): OperatorDesk {
  return new GuestOperator(options);
}

/** Tells one answer to it from the next. */
function stateOf({ grantId, status, decidedAt }: CapabilityGrant): string {
  return [grantId, status, decidedAt].join(" ");
}

type Seen = { readonly type: "done"; readonly document: StoredDocument } | { readonly type: "gone" | "late" };

class GuestOperator implements OperatorDesk {
  readonly #options: GuestOperatorOptions & { readonly clock: Clock; readonly ids: Ids };
  readonly #by: Principal;
  readonly #reader: OperatorDesk;
  readonly #waits: Waits;

  constructor(options: GuestOperatorOptions) {
    const { clock = systemClock, ids = randomIds, ...given } = options;
    this.#options = { ...given, clock, ids };
    this.#by = parseAtDoor(givenPrincipalSchema, options.principal, "principal", InvalidInputError);
    this.#reader = openOperator(options);
    this.#waits = new Waits(options.store, clock);
  }

  list(which?: { readonly status?: ApprovalStatus | "any" }): Promise<Approval[]> {
    return this.#reader.list(which);
  }

  get(approvalId: string): Promise<Approval> {
    return this.#reader.get(approvalId);
  }

  grants(): Promise<StandingGrant[]> {
    return this.#reader.grants();
  }

  approve(approvalId: string, terms: AnswerTerms = {}): Promise<Approval> {
    return this.#answer(approvalId, "approved", terms);
  }

  approveForSession(approvalId: string, terms: AnswerTerms & SessionTerms = {}): Promise<Approval> {
    return this.#answer(approvalId, "approved_for_session", terms);
  }

  deny(approvalId: string, terms: AnswerTerms = {}): Promise<Approval> {
    return this.#answer(approvalId, "denied", terms);
  }

  async revoke(given: string): Promise<void> {
    requireId(given, "grant");
    const grantId = safeText(given, 200);
    const isDone = await this.#send((left) => ({ ...left, type: "revoke", grantId }));
    if (isDone || !(await this.grants()).some((grant) => grant.grantId === grantId)) return;
    throw lost(`${grantId} still stands`);
  }

  async resolve(given: string, { status, note }: Found): Promise<void> {
    const { store, installation } = this.#options;
    await requireInstallation(store, installation);
    const effectId = safeText(given, 200);
    const found = readResolution({ status, note });
    const said = { status: found.status, note: found.note };
    if (await this.#send((left) => ({ ...left, type: "effect", effectId, ...said }))) return;
    const { accountId } = this.#by;
    const document = await store.document({ kind: effectKind, accountId, id: effectId });
    throw lost(
      document === undefined ? `nothing of ${effectId} is known` : `${effectId} is ${document.status}`,
    );
  }

  readonly capabilities: CapabilityAnswers = {
    list: async (which) => await this.#reader.capabilities.list(which),
    grant: async (named, terms?: GrantTerms) => await this.#answerFor("granted", named, terms),
    deny: async (grantId, terms?: GrantTerms) => await this.#answerFor("denied", grantId, terms),
    revoke: async (grantId, terms?: GrantTerms) => await this.#answerFor("revoked", grantId, terms),
  };

  close(): Promise<void> {
    return this.#reader.close();
  }

  async #answerFor(
    answer: CapabilityAnswer,
    given: string,
    terms: GrantTerms = {},
  ): Promise<CapabilityGrant> {
    requireId(given, "capability");
    requireGrantTerms(terms);
    const named = safeText(given, 300);
    requireOpenNames(terms);
    const { note, ...rest } = terms;
    const said = { ...rest, ...(note !== undefined && { note: safeText(note, 2000) }) };
    const before = new Set((await this.capabilities.list({ status: "any" })).map(stateOf));
    const isDone = await this.#send((left) => ({ ...left, type: "capability", answer, named, terms: said }));
    // Where it was for one call, that may have come already.
    const became: readonly string[] = answer === "granted" ? ["granted", "used"] : [answer];
    const found = (await this.capabilities.list({ status: "any" })).findLast(
      (one) =>
        !before.has(stateOf(one)) &&
        became.includes(one.status) &&
        one.decidedBy?.keyId === this.#by.keyId &&
        (one.grantId === named || one.capability === named),
    );
    if (found !== undefined) return found;
    throw lost(
      isDone ? `${named} was answered, and has been answered again since` : `nothing of ${named} is known`,
    );
  }

  async #answer(given: string, answer: ApprovalAnswer, terms: AnswerTerms & SessionTerms): Promise<Approval> {
    requireId(given, "approval");
    requireAnswer(terms);
    const { note, fixed, maxUses, forMs } = terms;
    const approvalId = safeText(given, 200);
    const isDone = await this.#send((left) => ({
      ...left,
      type: "answer",
      approvalId,
      answer,
      // S1: also what lies in the inbox is kept.
      ...(note !== undefined && { note: safeText(note, 2000) }),
      terms: { ...(fixed && { fixed: [...fixed] }), maxUses, forMs },
    }));
    const approval = await this.get(approvalId);
    if (isDone || canonicalJson(approval.decidedBy ?? null) === canonicalJson(this.#by)) return approval;
    throw lost(`${approvalId} is ${approval.status}`);
  }

  /** Whether the driver has said that it is done; nothing is known of what was cleared away. */
  async #send(
    errandOf: (left: Pick<ApprovalErrand, "id" | "by" | "until">) => ApprovalErrand,
  ): Promise<boolean> {
    const { store, clock, ids, installation, waitMs } = this.#options;
    const id = `errand_${ids.unique()}`;
    const until = new Date(clock.now() + waitMs).toISOString();
    const documents = [putErrand(errandOf({ id, by: this.#by, until }), installation.keyHash)];
    const wakes = [inboxWake(this.#by.accountId)];
    await store.commit({ durability: "power", now: clock.now(), documents, wakes });
    const seen = await this.#seen(id);
    if (seen.type !== "done") return false;
    await this.#takeBack(id, seen.document.revision);
    const outcome = outcomeIn(seen.document, installation.keyHash);
    if (outcome?.error === undefined) return outcome !== undefined;
    const { code, message, details } = outcome.error;
    throw errorFor(code, message, { ...(details && { details }) });
  }

  async #seen(id: string): Promise<Seen> {
    const { clock, waitMs, signal } = this.#options;
    const by = clock.elapsed() + waitMs;
    const look = async () => await this.#look(id, by);
    // It is left with the first revision, and its outcome is the next.
    const left = {
      type: "document",
      kind: inboxKind,
      accountId: this.#by.accountId,
      id,
      revision: 1,
    } as const;
    const seen = await this.#waits.until(errandWake(id), look, {
      by,
      watched: () => [left],
      signals: [signal],
    });
    if (seen !== undefined && seen.type !== "late") return seen;
    if (await this.#takeBack(id, 1)) throw isAborted(signal) ? takenBack() : notTaken(waitMs);
    return (await this.#look(id, Number.POSITIVE_INFINITY)) ?? { type: "gone" };
  }

  async #look(id: string, by: number): Promise<Seen | undefined> {
    const { store, clock } = this.#options;
    const document = await store.document({ kind: inboxKind, accountId: this.#by.accountId, id });
    if (document === undefined) return { type: "gone" };
    if (document.status === "done") return { type: "done", document };
    return clock.elapsed() >= by ? { type: "late" } : undefined;
  }

  /** Whether it was there as it was last seen, and is there no more. */
  async #takeBack(id: string, expects: number): Promise<boolean> {
    const { store, clock } = this.#options;
    const { accountId } = this.#by;
    const documents = [{ type: "remove", kind: inboxKind, accountId, id, expects }] as const;
    return (await store.commit({ durability: "power", now: clock.now(), documents })).type === "committed";
  }
}

function notTaken(waitMs: number): TimeoutError {
  return new TimeoutError(
    `the process that drives this store has not taken the answer within ${waitMs} ms, and it was taken back: nothing is decided. Wait longer, or stop that process and answer again`,
    { details: { reason: "not_taken", waitMs } },
  );
}

function takenBack(): CancelledError {
  return new CancelledError(
    "cancelled before the process that drives this store took it; nothing is decided",
  );
}

function lost(stands: string): InvalidTransitionError {
  return new InvalidTransitionError(
    `what became of it was cleared away before it could be read; as it is now, ${stands}`,
    { details: { reason: "outcome_lost" } },
  );
}
