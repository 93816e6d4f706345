// The operator's side of capabilities. G3, A2: only from here does a grant come, by somebody who is not whoever asks, and every answer,
// taken or refused, is on record with whose it was.
import {
  type Capability,
  type CapabilityAnswer,
  type CapabilityGrant,
  type CapabilityGrantId,
  type CapabilityHolder,
  type CapabilityStatus,
  capabilityHolderSchema,
  capabilityReach,
  ForbiddenError,
  type GrantScope,
  grantScopeSchema,
  InvalidInputError,
  InvalidTransitionError,
  isSimpleFunctionsError,
  NotFoundError,
  parseAtDoor,
  type Principal,
  secretInId,
  refuseUnknown,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import type { AlsoWritten, ApprovalsHost } from "../approval/approvals-host.ts";
import {
  type Conflict,
  conflictError,
  conflictOf,
  isAsker,
  type IsInFamily,
  isNobody,
} from "../approval/may-answer.ts";
import { readNote } from "../approval/read-note.ts";
import { failureContent } from "../call/conclude.ts";
import { requireId } from "../call/require-id.ts";
import { safeText } from "../call/safe-text.ts";
import type { Kept } from "../installation/proven.ts";
import type { CallJournal } from "../journal/account-journal.ts";
import { draftContent, draftRecord, type RecordDraft } from "../journal/record-draft.ts";
import { capabilityKind } from "../store/kernel-kinds.ts";
import type { DocumentWrite } from "../store/store.ts";
import { contentRef } from "../time/ids.ts";
import { Capabilities, overMs } from "./capabilities.ts";
import { putCapability } from "./kept-capability.ts";
import { readNetwork } from "./network.ts";
import { requireBounded } from "./public-suffix.ts";

/** How far a grant goes. */
export type GrantTerms = {
  /** For one call unless given. */
  readonly scope?: GrantScope | undefined;
  /** Milliseconds; an hour unless given. What is granted `until` a time says how long. */
  readonly forMs?: number | undefined;
  /** Whom it is for, where nobody has asked: everybody in the account unless given. */
  readonly keyId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly runId?: string | undefined;
  readonly note?: string | undefined;
};

/** What an operator does about capabilities, wherever it stands. */
export type CapabilityAnswers = Pick<CapabilityDesk, "list" | "grant" | "deny" | "revoke">;

export type CapabilityDeskParts = {
  readonly host: ApprovalsHost;
  readonly by: Principal;
  readonly journal: Pick<CallJournal, "open">;
  readonly bound: () => Promise<void>;
  readonly readable: () => Promise<unknown>;
  readonly also: AlsoWritten;
  readonly isInFamily: IsInFamily;
};

/** What is to be granted: what somebody has asked for, or a capability by its name. */
type Wanted = Pick<CapabilityGrant, "capability" | "holder"> &
  Partial<Pick<CapabilityGrant, "grantId" | "asker">>;

type Answering = {
  readonly named: string;
  readonly answer: CapabilityAnswer;
  readonly terms: GrantTerms;
};

/**
 * How long a grant holds that says nothing else.
 * @limit capability.grantMs | the grant is over: `capability_denied` | `--for` of `sf grants grant`, `forMs` of a grant
 */
const usualMs = 3_600_000;
/**
 * How long a grant may hold.
 * @limit capability.longestGrantMs | `invalid_input` | fixed: what is to be reached for longer belongs into the program's own allow-list
 */
const mostMs = 30 * 24 * 3_600_000;
/** So long what was used or revoked is kept where it can be looked up. The journal keeps it for good. */
const endedMs = 30 * 24 * 3_600_000;

export class CapabilityDesk {
  readonly #parts: CapabilityDeskParts;
  readonly #capabilities: Capabilities;

  constructor(parts: CapabilityDeskParts) {
    this.#parts = parts;
    this.#capabilities = new Capabilities(parts.host, readNetwork());
  }

  /** The account's, oldest first: questions that wait for an answer and grants that stand, unless a status is asked for. */
  async list({ status }: { readonly status?: CapabilityStatus | "any" } = {}): Promise<CapabilityGrant[]> {
    await this.#parts.readable();
    const found: CapabilityGrant[] = [];
    for await (const { value } of this.#capabilities.all(this.#parts.by.accountId))
      if (this.#isWanted(value, status)) found.push(value);
    return found.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  }

  /** Grants what was asked for, by its id; or a capability that nobody has asked for, by its name. */
  async grant(named: string, terms: GrantTerms = {}): Promise<CapabilityGrant> {
    return await this.#answer({ named, answer: "granted", terms });
  }

  async deny(grantId: string, terms: Pick<GrantTerms, "note"> = {}): Promise<CapabilityGrant> {
    return await this.#answer({ named: grantId, answer: "denied", terms });
  }

  /** Ends a grant: from now on nothing is reached by it, also by calls that are under way. */
  async revoke(grantId: string, terms: Pick<GrantTerms, "note"> = {}): Promise<CapabilityGrant> {
    return await this.#answer({ named: grantId, answer: "revoked", terms });
  }

  /** An operator's word that was left in the inbox. */
  async answer({
    named,
    answer,
    terms,
  }: Omit<Answering, "terms"> & { readonly terms: object }): Promise<CapabilityGrant> {
    return await this.#answer({ named, answer, terms });
  }

  #isWanted(grant: CapabilityGrant, status: CapabilityStatus | "any" | undefined): boolean {
    if (status === "any") return true;
    if (status !== undefined && status !== grant.status) return false;
    const isOpen = grant.status === "pending" || grant.status === "granted";
    return isOpen ? !this.#capabilities.isOver(grant) : status !== undefined;
  }

  async #answer(given: Answering): Promise<CapabilityGrant> {
    const { bound, journal, also, host, by } = this.#parts;
    requireId(given.named, "capability");
    requireGrantTerms(given.terms);
    await bound();
    const terms = { ...given.terms, note: readNote(given.terms.note) };
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- again only when somebody else was first
      const stands = await this.#saidAgain(given);
      if (stands !== undefined) return stands;
      // oxlint-disable-next-line no-await-in-loop -- see above
      const decided = await this.#decided({ ...given, terms });
      const error = isSimpleFunctionsError(decided) ? decided : undefined;
      const made = isSimpleFunctionsError(decided) ? undefined : decided;
      const record = answerRecord(host, by, { ...given, terms }, made?.value, error);
      // oxlint-disable-next-line no-await-in-loop -- see above
      const { documents, wakes } = await also(error);
      const writes = made && [putCapability(made.value, made.revision, host.proves)];
      const unit = { durability: "power", records: [record], wakes } as const;
      // oxlint-disable-next-line no-await-in-loop -- see above
      const { written } = await journal.open({ ...unit, documents: [...(writes ?? []), ...documents] });
      if (written.type !== "written") continue;
      if (error !== undefined) throw error;
      // oxlint-disable-next-line no-await-in-loop -- the last time round
      await this.#sweep().catch(() => undefined);
      return (made as Kept<CapabilityGrant>).value;
    }
  }

  /** Whoever has said so says the same again: they are told what stands, and nothing is written. */
  async #saidAgain({ named, answer }: Answering): Promise<CapabilityGrant | undefined> {
    const { keyId, kind, accountId } = this.#parts.by;
    const { value } = (await this.#capabilities.read(accountId, named)) ?? {};
    const isTheirs = value?.decidedBy?.keyId === keyId && value.decidedBy.kind === kind;
    return isTheirs && value.status === answer && !this.#capabilities.isOver(value) ? value : undefined;
  }

  /** What an answer makes of it, and which revision that replaces; or why the answer counts for nothing. */
  async #decided(given: Answering): Promise<Kept<CapabilityGrant> | SimpleFunctionsError> {
    try {
      requireOperator(this.#parts.by);
      if (given.answer === "granted") return await this.#granted(given);
      const { value, revision } = await this.#find(given.named);
      const ended = this.#ended(value, given);
      // Ending what is granted is no answer.
      if (given.answer === "denied") await this.#requireNoConflict(value);
      return { value: ended, revision };
    } catch (error) {
      if (isSimpleFunctionsError(error)) return error;
      throw error;
    }
  }

  #ended(grant: CapabilityGrant, { answer, terms: { note } }: Answering): CapabilityGrant {
    const { status } = grant;
    // What a call has used up it still goes by: until it is taken back.
    const needed: readonly CapabilityStatus[] = answer === "denied" ? ["pending"] : ["granted", "used"];
    if (!needed.includes(status) || this.#capabilities.isOver(grant)) throw tooLate(grant, answer);
    return { ...grant, status: answer, ...this.#decision(note) };
  }

  async #granted({ named, terms }: Answering): Promise<Kept<CapabilityGrant>> {
    const { host } = this.#parts;
    const isAsked = named.startsWith("cap_");
    const kept = isAsked ? await this.#find(named) : undefined;
    if (kept !== undefined) {
      if (kept.value.status !== "pending" || this.#capabilities.isOver(kept.value))
        throw tooLate(kept.value, "granted");
      await this.#requireNoConflict(kept.value);
      // What was asked for before its suffix was in the list.
      await requireBounded(kept.value.capability);
    }
    const scope = readScope(terms.scope);
    const capability = kept?.value.capability ?? (await readCapability(named));
    const holder = this.#holder(scope, terms, kept?.value.holder);
    if (kept === undefined) await this.#requireNoConflict({ capability, holder });
    const now = host.clock.now();
    const at = new Date(now).toISOString();
    const value: CapabilityGrant = {
      ...(kept?.value ?? { grantId: `cap_${host.ids.unique()}` as CapabilityGrantId, createdAt: at }),
      capability,
      holder,
      status: "granted",
      scope,
      expiresAt: new Date(now + readTime(scope, terms.forMs)).toISOString(),
      ...this.#decision(terms.note),
    };
    return { value, revision: kept?.revision ?? 0 };
  }

  /** A2: whoever asks is not who answers, by a question's id, nor who grants by a capability's name. */
  async #requireNoConflict(wanted: Wanted): Promise<void> {
    const { by, isInFamily } = this.#parts;
    const conflict = (await conflictOf(by, wanted, isInFamily)) ?? (await this.#ownWish(wanted));
    if (conflict !== undefined) throw conflictError(wanted.grantId ?? wanted.capability, conflict);
  }

  /** A wish of the answerer's own, or of a key of its family, that a grant by name would fulfil in part or whole. */
  async #ownWish({ capability, holder, grantId }: Wanted): Promise<Conflict | undefined> {
    const { by } = this.#parts;
    if (grantId !== undefined) return undefined;
    for await (const { value: wish } of this.#capabilities.all(by.accountId)) {
      const { asker } = wish;
      if (asker === undefined || this.#capabilities.isOver(wish)) continue;
      const isForAsker = holder.keyId === undefined || holder.keyId === asker.keyId;
      if (!isForAsker || !this.#capabilities.overlap(capability, wish.capability)) continue;
      if (isAsker(by, asker))
        return {
          reason: "own_question",
          text: `this key has asked for ${wish.capability} itself (${wish.grantId}), and whoever asks is not who grants; answer with another credential`,
        };
      const conflict = await conflictOf(by, { asker }, this.#parts.isInFamily);
      if (conflict !== undefined) return conflict;
    }
    return undefined;
  }

  #holder(scope: GrantScope, terms: GrantTerms, asked: CapabilityHolder | undefined): CapabilityHolder {
    const { accountId } = this.#parts.by;
    const { keyId, sessionId, runId } = asked ?? terms;
    requireOpenNames(terms);
    if (scope === "turn" && runId === undefined)
      throw bad("/runId", "a grant for a turn is for a run: name it");
    if (scope === "session" && sessionId === undefined)
      throw bad("/sessionId", "a grant for a session is for one: name it");
    // What somebody asked in is left where the scope goes beyond it; what an operator names is never.
    const isNamed = asked === undefined;
    const isOfSession = isNamed || scope === "session" || scope === "once";
    const isOfRun = isNamed || scope === "turn";
    const given = {
      accountId,
      ...(keyId !== undefined && { keyId }),
      ...(sessionId !== undefined && isOfSession && { sessionId }),
      ...(runId !== undefined && isOfRun && { runId }),
    };
    return parseAtDoor(capabilityHolderSchema, given, "whom it is for", InvalidInputError);
  }

  #decision(note: string | undefined): Pick<CapabilityGrant, "decidedBy" | "decidedAt" | "note"> {
    const decidedAt = new Date(this.#parts.host.clock.now()).toISOString();
    return { decidedBy: this.#parts.by, decidedAt, ...(note !== undefined && { note }) };
  }

  async #find(id: string): Promise<Kept<CapabilityGrant>> {
    const kept = await this.#capabilities.read(this.#parts.by.accountId, id);
    if (kept !== undefined) return kept;
    throw new NotFoundError(
      `there is no ${safeText(id, 100)} among what was asked for or granted in this account`,
    );
  }

  async #sweep(): Promise<void> {
    const { store, clock } = this.#parts.host;
    const { accountId } = this.#parts.by;
    const now = clock.now();
    const documents: DocumentWrite[] = [];
    for await (const { value, revision: expects } of this.#capabilities.all(accountId)) {
      const isEnded = value.status === "used" || value.status === "revoked";
      if (now - Date.parse(value.expiresAt) < (isEnded ? endedMs : overMs)) continue;
      documents.push({ type: "remove", kind: capabilityKind, accountId, id: value.grantId, expects });
    }
    if (documents.length > 0) await store.commit({ durability: "process", now, documents });
  }
}

/** Oldest first, and always the same. */
function placeOf({ createdAt, grantId }: CapabilityGrant): string {
  return `${createdAt} ${grantId}`;
}

function answerRecord(
  { ids }: ApprovalsHost,
  by: Principal,
  { named, answer, terms: { note } }: Answering,
  made: CapabilityGrant | undefined,
  error: SimpleFunctionsError | undefined,
): RecordDraft {
  const unique = ids.unique();
  const failure = error && failureContent({ ids }, unique, error);
  const words = note === undefined ? undefined : draftContent(contentRef(unique, "note"), ids.salt(), note);
  return draftRecord(
    "capability.answered",
    {
      named: safeText(named, 300),
      answer,
      by,
      ...(made && { grant: answeredGrant(made) }),
      ...(failure && { error: failure.body }),
      ...(words && { note: words.digest }),
    },
    { content: [...(failure ? [failure.row] : []), ...(words ? [words.row] : [])] },
  );
}

function answeredGrant({ grantId, capability, holder, status, scope, expiresAt }: CapabilityGrant) {
  return { grantId, capability, holder, status, ...(scope && { scope }), expiresAt };
}

function requireOperator(by: Principal): void {
  if (!isNobody(by) && by.scopes.includes("admin")) return;
  throw new ForbiddenError("what is reachable is an operator's to say: it takes the scope admin");
}

function tooLate(
  { grantId, status, decidedBy }: CapabilityGrant,
  answer: CapabilityAnswer,
): SimpleFunctionsError {
  const by = decidedBy === undefined ? "" : ` by ${decidedBy.keyId}`;
  const stands =
    status === "pending" || status === "granted" ? `${status}, and its time is over` : `${status}${by}`;
  const isStanding = status === "granted" && answer === "granted";
  return new InvalidTransitionError(
    `${grantId} is ${isStanding ? `granted${by} already` : stands}; "${answer}" changes nothing`,
    { details: { grantId, status } },
  );
}

async function readCapability(named: string): Promise<Capability> {
  const reach = capabilityReach(named);
  if (reach === undefined)
    throw bad(
      "/capability",
      `${JSON.stringify(safeText(named, 100))} is no capability: net, net:<host> or net:*.<host>, a host by its exact name in lower case`,
    );
  await requireBounded(named);
  return named as Capability;
}

function readScope(given: unknown = "once"): GrantScope {
  const { data } = grantScopeSchema.safeParse(given);
  if (data !== undefined) return data;
  throw bad("/scope", `a grant is for ${grantScopeSchema.options.join(", ")}`);
}

function readTime(scope: GrantScope, forMs: number | undefined): number {
  if (scope === "until" && forMs === undefined)
    throw bad("/forMs", "a grant until a time says how long: forMs");
  const given = forMs ?? usualMs;
  if (Number.isFinite(given) && given >= 1 && given <= mostMs) return given;
  throw bad("/forMs", `forMs is a number of milliseconds from 1 to ${mostMs}`);
}

const termNames = ["scope", "forMs", "keyId", "sessionId", "runId", "note"] satisfies (keyof GrantTerms)[];

/** A misspelt bound would be a grant without it. */
export function requireGrantTerms(given: unknown): void {
  refuseUnknown(given, termNames, "term of a grant");
}

const whose = { keyId: "key id", sessionId: "session id", runId: "run id" } as const;

/** S1: whom a grant is for is kept as it was said, and a key is named by its id. */
export function requireOpenNames(terms: GrantTerms): void {
  for (const name of ["keyId", "sessionId", "runId"] as const) {
    const text = terms[name];
    const problem = typeof text === "string" ? secretInId(text, whose[name]) : undefined;
    if (problem !== undefined) throw bad(`/${name}`, problem);
  }
}

function bad(path: string, message: string): InvalidInputError {
  return new InvalidInputError(message, { details: { path } });
}
