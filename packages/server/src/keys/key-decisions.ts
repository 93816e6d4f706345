// What a key has decided and made, and ending all of that: for a key that somebody else has used. Every end is on record with whose it
// was, and ending it once more changes nothing.
import { type Approval, isSimpleFunctionsError, type KeyId, type Principal } from "@spfunctions/contracts";
import {
  type AccountJournals,
  documentsOf,
  type GivenPrincipal,
  type Operator,
  openOperator,
} from "@spfunctions/kernel";
import type { KeyHost } from "./change-keys.ts";
import type { FamilyHost } from "./key-family.ts";
import type { Decided } from "./decided-schema.ts";
import { isLive, keyKind, type KeyRecord, readKeyRecord } from "./key-record.ts";

export type DecisionsHost = KeyHost &
  Pick<FamilyHost, "policy" | "hasPreToolRule"> & { readonly journals: () => AccountJournals };

/**
 * Decisions of one sort that are listed with a revocation.
 * @limit key.decidedListed | `more` is true; what is ended is not limited | fixed: `end` ends all of them, listed or not
 */
const maxDecidedListed = 200;

type Whose = { readonly caller: GivenPrincipal; readonly keyId: string };

/** What a key and the keys that come from it have decided and made, as far as it still stands. */
export async function readDecisions(host: DecisionsHost, whose: Whose): Promise<Decided> {
  return await atDesk(host, whose.caller, async (operator) => {
    const origins = await keysFrom(host, whose);
    return listed(await standing(host, operator, origins), origins, { host, whose, isEnded: false });
  });
}

/** Ends all of that but keys, and says what was ended. The keys are to be ended in the commit of the call that does it. */
export async function endDecisions(host: DecisionsHost, whose: Whose): Promise<Decided> {
  return await atDesk(host, whose.caller, async (operator) => {
    const origins = await keysFrom(host, whose);
    const found = await standing(host, operator, origins);
    const note = `what ${whose.keyId} or a key that comes from it has decided was ended`;
    /* oxlint-disable no-await-in-loop -- each is a commit of its own */
    for (const { grantId } of found.capabilities)
      await unlessOver(() => operator.capabilities.revoke(grantId, { note }));
    for (const { grantId } of found.sessions) await unlessOver(() => operator.revoke(grantId));
    for (const { approvalId } of found.approvals)
      await unlessOver(() => operator.withdraw(approvalId, { note }));
    /* oxlint-enable no-await-in-loop */
    return listed(found, origins, { host, whose, isEnded: true });
  });
}

/** Whether somebody is one of the keys that are asked about. `question`: what they have answered. */
type IsTheirs = (by: Principal, question?: Pick<Approval, "gate" | "hidden">) => Promise<boolean>;

/** The first of what some keys have granted to a key, or to a key that comes from it, and what they have approved of its calls. */
export async function findGrantedTo(
  host: DecisionsHost,
  whose: Whose,
  isTheirs: IsTheirs,
): Promise<string | undefined> {
  return await atDesk(host, whose.caller, async (operator) => {
    const holders = await keysFrom(host, whose);
    const { capabilities, sessions, approvals } = await standing(host, operator);
    /* oxlint-disable no-await-in-loop -- the first is enough */
    for (const { grantId, holder, decidedBy } of capabilities)
      if (holder.keyId !== undefined && holders.has(holder.keyId) && decidedBy && (await isTheirs(decidedBy)))
        return grantId;
    for (const { grantId, principal, grantedBy } of sessions)
      if (holders.has(principal.keyId) && (await isTheirs(grantedBy))) return grantId;
    for (const approval of approvals) {
      const { approvalId, asker, decidedBy } = approval;
      if (holders.has(asker.keyId) && decidedBy && (await isTheirs(decidedBy, approval))) return approvalId;
    }
    /* oxlint-enable no-await-in-loop */
    return undefined;
  });
}

/** The living keys that come from a key, but for the caller's own. */
export async function keysToEnd(host: DecisionsHost, whose: Whose): Promise<readonly KeyRecord[]> {
  const { caller, keyId } = whose;
  const now = host.clock.now();
  return [...(await keysFrom(host, whose)).values()].filter(
    (record) => record.keyId !== keyId && record.keyId !== caller.keyId && isLive(record, now),
  );
}

async function atDesk<Done>(
  { store, installation, journals, clock, ids }: DecisionsHost,
  principal: GivenPrincipal,
  act: (operator: Operator) => Promise<Done>,
): Promise<Done> {
  return await act(openOperator({ store, installation, journals: journals(), clock, ids, principal }));
}

type Origins = ReadonlyMap<string, KeyRecord>;

/** A key and all keys that it made or rotated, directly or not; also those that have ended. */
async function keysFrom(
  { store, installation }: DecisionsHost,
  { caller: { accountId }, keyId }: Whose,
): Promise<Origins> {
  const all: KeyRecord[] = [];
  for await (const document of documentsOf(store, keyKind, accountId))
    all.push(readKeyRecord(document, installation.keyHash));
  const found = new Map(all.filter((one) => one.keyId === keyId).map((one) => [one.keyId as string, one]));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const one of all)
      if ([one.createdBy, ...(one.rotatedBy ?? [])].some((id) => found.has(id))) found.set(one.keyId, one);
  }
  return found;
}

/** Of everybody, unless `origins` say whose. */
async function standing({ clock }: DecisionsHost, operator: Operator, origins?: Origins) {
  const now = clock.now();
  const isTheirs = (by: Principal | undefined) =>
    origins === undefined || (by?.kind === "key" && origins.has(by.keyId));
  const isOver = ({ expiresAt }: { readonly expiresAt: string }) => now >= Date.parse(expiresAt);
  const granted = await operator.capabilities.list({ status: "granted" });
  // A call that is under way goes on by what it has used up.
  const used = origins === undefined ? [] : await operator.capabilities.list({ status: "used" });
  const capabilities = [...granted, ...used.filter((one) => !isOver(one))];
  const approvals = await operator.list({ status: "approved" });
  return {
    capabilities: capabilities.filter(({ decidedBy }) => isTheirs(decidedBy)),
    sessions: (await operator.grants()).filter(({ grantedBy }) => isTheirs(grantedBy)),
    approvals: approvals.filter((one) => isTheirs(one.decidedBy) && !isOver(one)),
  };
}

type Standing = Awaited<ReturnType<typeof standing>>;
type Listing = { readonly host: DecisionsHost; readonly whose: Whose; readonly isEnded: boolean };

function listed(
  { capabilities, sessions, approvals }: Standing,
  origins: Origins,
  { host, whose: { caller, keyId }, isEnded }: Listing,
): Decided {
  const now = host.clock.now();
  const keys = [...origins.values()].filter((one) => one.keyId !== keyId && isLive(one, now));
  const lists = [keys, capabilities, sessions, approvals];
  const by = (who: Principal | undefined) => (who?.keyId ?? keyId) as KeyId;
  return {
    isEnded,
    madeKeys: keys.slice(0, maxDecidedListed).map((one) => ({
      keyId: one.keyId,
      name: one.name,
      scopes: one.scopes,
      createdBy: one.createdBy,
      isOwn: one.keyId === caller.keyId,
    })),
    capabilities: capabilities.slice(0, maxDecidedListed).map((one) => ({
      grantId: one.grantId,
      capability: one.capability,
      ...(one.holder.keyId !== undefined && { holderKeyId: one.holder.keyId }),
      expiresAt: one.expiresAt,
      decidedByKeyId: by(one.decidedBy),
    })),
    sessions: sessions.slice(0, maxDecidedListed).map((one) => ({
      grantId: one.grantId,
      tool: one.tool,
      sessionId: one.sessionId,
      holderKeyId: one.principal.keyId,
      expiresAt: one.expiresAt,
      decidedByKeyId: by(one.grantedBy),
    })),
    approvals: approvals.slice(0, maxDecidedListed).map((one) => ({
      approvalId: one.approvalId,
      tool: one.tool,
      holderKeyId: one.asker.keyId,
      expiresAt: one.expiresAt,
      decidedByKeyId: by(one.decidedBy),
    })),
    more: lists.some((list) => list.length > maxDecidedListed),
  };
}

/** What was used, revoked or ended meanwhile stands no more either. */
async function unlessOver(end: () => Promise<unknown>): Promise<void> {
  try {
    await end();
  } catch (error) {
    const isOver =
      isSimpleFunctionsError(error) && (error.code === "invalid_transition" || error.code === "not_found");
    if (!isOver) throw error;
  }
}
