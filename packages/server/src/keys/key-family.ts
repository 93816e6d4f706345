// A2: keys that come from one key whose calls a person can be asked about are a family: none of them answers for another.
import type { AgentPolicy, Approval } from "@spfunctions/contracts";
import type { GivenPrincipal, Installation, IsInFamily, Store } from "@spfunctions/kernel";
import { keyKind, type KeyRecord, readKeyRecord } from "./key-record.ts";

export type FamilyHost = {
  readonly store: Store;
  readonly installation: Installation;
  /** The server's policy, under which every key is judged. */
  readonly policy?: Pick<AgentPolicy, "approvals"> | undefined;
  /** Whether the host has a rule that is asked before a call: it can ask a person about every key's. */
  readonly hasPreToolRule?: boolean | undefined;
};

/** Tells of other keys whether they are of the family of whoever answers. Only a key has one. */
export function familyOf(host: FamilyHost, { accountId, keyId, kind }: GivenPrincipal): IsInFamily {
  return async (other, question) =>
    kind === "key" && (await areOneFamily(host, { accountId, keyIds: [keyId, other.keyId] }, question));
}

type Keys = { readonly accountId: string; readonly keyIds: readonly [string, string] };

/**
 * Whether two keys have an origin in common of whose calls a person can be asked: under rules of its own, or under rules for every key.
 * `question`: what one of them asked. A rule of the host and hidden parts stop the calls of every key.
 */
export async function areOneFamily(
  host: FamilyHost,
  { accountId, keyIds: [one, other] }: Keys,
  question: Pick<Approval, "gate" | "hidden"> = {},
): Promise<boolean> {
  const [ones, others] = [await originsOf(host, accountId, one), await originsOf(host, accountId, other)];
  const isEveryKeyAsked =
    asksPerson(host.policy?.approvals) ||
    host.hasPreToolRule === true ||
    question.gate === "pre_tool" ||
    (question.hidden !== undefined && question.hidden.length > 0);
  const all = [...ones.values(), ...others.values()];
  if (isEveryKeyAsked && all.some(isRotatedByUnknownKey)) return true;
  return [...ones].some(
    ([id, { approvals }]) => others.has(id) && (isEveryKeyAsked || asksPerson(approvals)),
  );
}

/** Whether approval rules can ask a person at all. */
function asksPerson(approvals: AgentPolicy["approvals"]): boolean {
  return (
    approvals?.requireForSideEffectAtOrAbove !== undefined ||
    approvals?.requireForCostEffectAtOrAbove !== undefined
  );
}

/** Whether what a key had decided by a time was ended since, with that key or with one that it comes from. */
export async function isDecisionEnded(
  host: Pick<FamilyHost, "store" | "installation">,
  { asker, decidedBy, decidedAt = "" }: Pick<Approval, "asker" | "decidedBy" | "decidedAt">,
): Promise<boolean> {
  if (decidedBy?.kind !== "key") return false;
  const origins = await originsOf(host, asker.accountId, decidedBy.keyId);
  return [...origins.values()].some(({ decisionsEndedAt = "" }) => decidedAt <= decisionsEndedAt);
}

/** A key and all keys that made it or received a secret of it, directly or not; also keys that have ended. */
async function originsOf(
  { store, installation }: Pick<FamilyHost, "store" | "installation">,
  accountId: string,
  keyId: string,
): Promise<ReadonlyMap<string, KeyRecord>> {
  const found = new Map<string, KeyRecord>();
  const open = [keyId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    // oxlint-disable-next-line no-await-in-loop -- each names who made it
    const document = await store.document({ kind: keyKind, accountId, id });
    // Whoever holds the platform, or sits at its machine, is no key.
    if (document === undefined) continue;
    const record = readKeyRecord(document, installation.keyHash);
    found.set(id, record);
    open.push(record.createdBy, ...(record.rotatedBy ?? []));
  }
  return found;
}

/** An earlier version did not record which key received the new secret: any key of the account may have it. */
function isRotatedByUnknownKey({ rotatedAt, rotatedBy }: KeyRecord): boolean {
  return rotatedAt !== undefined && rotatedBy === undefined;
}
