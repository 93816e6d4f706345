// The platform's side of capabilities: what a caller sees of what was asked for and granted, and what it says to that. G3, A2: who
// answers is who the door let in, and the kernel's operator decides whether that counts, and keeps every answer on record.
import {
  type AgentPolicy,
  type CapabilityGrant,
  ForbiddenError,
  InvalidInputError,
  isSimpleFunctionsError,
  NotFoundError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import {
  type AccountJournals,
  type CapabilityAnswers,
  type Clock,
  type Ids,
  type Installation,
  openOperator,
  type Store,
} from "@spfunctions/kernel";
import { type Caller, isLent } from "../identity/caller.ts";
import { familyOf } from "../keys/key-family.ts";
import { type Page, pageOf } from "../route/page-of.ts";
import {
  type GrantAnswer,
  type GrantsQuery,
  isCapabilityGrantId,
  type NewGrant,
} from "./read-grant-request.ts";

export type GrantDeskHost = {
  readonly store: Store;
  readonly installation: Installation;
  readonly journals: AccountJournals;
  /** The server's policy, under which every key is judged. */
  readonly policy?: AgentPolicy | undefined;
  /** Whether the host has a rule that is asked before a call. */
  readonly hasPreToolRule?: boolean | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Told that something was written in an account. */
  readonly happened: (accountId: string) => void;
};

export class GrantDesk {
  readonly #host: GrantDeskHost;

  constructor(host: GrantDeskHost) {
    this.#host = host;
  }

  async list(caller: Caller, { status, after, limit }: GrantsQuery): Promise<Page<CapabilityGrant>> {
    if (isLent(caller)) throw noList();
    const kept = await this.#capabilities(caller).list(status === undefined ? {} : { status });
    const seen = kept.filter((one) => sees(caller, one));
    return pageOf(seen, ({ createdAt, grantId }) => `${createdAt},${grantId}`, after, limit);
  }

  async grant(caller: Caller, { capability, ...terms }: NewGrant): Promise<CapabilityGrant> {
    if (isBounded(caller)) throw notBounded();
    const { keyId, runId, sessionId } = terms;
    // G3: every key of the account can call itself that.
    if (keyId === undefined && (runId ?? sessionId) !== undefined) throw unnamedKey();
    return await this.#said(caller, (capabilities) => capabilities.grant(capability, terms));
  }

  async answer(caller: Caller, id: string, given: GrantAnswer): Promise<CapabilityGrant> {
    // The kernel would take a capability's name for a grant of it.
    if (!isCapabilityGrantId(id)) throw missing();
    const isSeen = isOperator(caller) || (await this.#isSeen(caller, id));
    if (isBounded(caller)) throw isSeen ? notBounded() : missing();
    try {
      return await this.#said(caller, (capabilities) => say(capabilities, id, given));
    } catch (error) {
      // I1: whether there is one is not told to whoever may not see it.
      const isMissing =
        isSimpleFunctionsError(error) &&
        (error.code === "not_found" || (!isSeen && error.code === "forbidden"));
      throw isMissing ? missing() : error;
    }
  }

  async #isSeen(caller: Caller, id: string): Promise<boolean> {
    const kept = await this.#capabilities(caller).list({ status: "any" });
    return kept.some((one) => one.grantId === id && sees(caller, one));
  }

  async #said(
    caller: Caller,
    act: (capabilities: CapabilityAnswers) => Promise<CapabilityGrant>,
  ): Promise<CapabilityGrant> {
    try {
      return await act(this.#capabilities(caller));
    } finally {
      this.#host.happened(caller.principal.accountId);
    }
  }

  #capabilities({ principal }: Caller): CapabilityAnswers {
    const { store, installation, journals, clock, ids } = this.#host;
    const isInFamily = familyOf(this.#host, principal);
    return openOperator({ store, installation, journals, clock, ids, principal, isInFamily }).capabilities;
  }
}

async function say(
  capabilities: CapabilityAnswers,
  id: string,
  { answer, ...terms }: GrantAnswer,
): Promise<CapabilityGrant> {
  if (answer === "granted") return await capabilities.grant(id, terms);
  return await (answer === "denied" ? capabilities.deny(id, terms) : capabilities.revoke(id, terms));
}

/** An operator sees everything; any other key what it asked for itself, or was granted by name; what a key has lent, nothing. */
function sees(caller: Caller, { asker, holder }: CapabilityGrant): boolean {
  if (isLent(caller)) return false;
  const { keyId } = caller.principal;
  return isOperator(caller) || asker?.keyId === keyId || holder.keyId === keyId;
}

/** What may be reached is no single tool's: a key that is bounded to some is no operator for it. */
function isOperator({ principal: { kind, scopes }, hearsAll }: Caller): boolean {
  return kind === "key" && scopes.includes("admin") && hearsAll === true;
}

/** The kernel would take its word: it knows scopes, and no bounds. */
function isBounded(caller: Caller): boolean {
  const { kind, scopes } = caller.principal;
  return kind === "key" && scopes.includes("admin") && !isOperator(caller);
}

function notBounded(): SimpleFunctionsError {
  return new ForbiddenError(
    "this key is bounded to some tools, and what may be reached is no single tool's; answer with an admin key that is not",
    { details: { reason: "bounded_key" } },
  );
}

function unnamedKey(): SimpleFunctionsError {
  return new InvalidInputError(
    "grant/keyId: a run and a session are what their caller calls them; name the key as well whose they are, or neither",
  );
}

function missing(): SimpleFunctionsError {
  return new NotFoundError(
    "there is no such question or grant here; GET /api/grants lists what is asked for and what stands",
  );
}

function noList(): SimpleFunctionsError {
  return new ForbiddenError("what is asked for and granted is listed for keys, and not for a page or a run", {
    details: { reason: "token_list" },
  });
}
