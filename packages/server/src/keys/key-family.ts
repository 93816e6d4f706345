// A2: keys that come from one key whose calls a person can be asked about are a family: none of them answers for another.
import type { AgentPolicy } from "@spfunctions/contracts";
import type {
  AskedQuestion,
  Decision,
  GivenPrincipal,
  Installation,
  IsInFamily,
  Store,
} from "@spfunctions/kernel";
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
  return async (other, question) => {
    if (kind !== "key") return false;
    const isAnswer = question !== undefined && other.keyId !== keyId;
    // A person is asked about the key that asks, by whichever level: no key that comes from it answers.
    if (isAnswer && (await originsOf(host, accountId, keyId)).records.has(other.keyId)) return true;
    return await areOneFamily(host, { accountId, keyIds: [keyId, other.keyId] }, question);
  };
}

type Keys = { readonly accountId: string; readonly keyIds: readonly [string, string] };

/**
 * Whether two keys have an origin in common of whose calls a person can be asked: under rules of its own, or under rules for every key.
 * `question`: what the second one asked, or one of them if it has no id. A rule of the host, hidden parts, and a level that is neither
 * the key's nor the server's can stop the calls of every key.
 */
export async function areOneFamily(
  host: FamilyHost,
  { accountId, keyIds: [one, other] }: Keys,
  question: AskedQuestion = {},
): Promise<boolean> {
  const [ones, others] = [await originsOf(host, accountId, one), await originsOf(host, accountId, other)];
  // Nobody knows which key came before one whose record is gone.
  if (one !== other && !(ones.isWhole && others.isWhole)) return true;
  const isEveryKeyAsked = asksEveryKey(host, question, others.records.get(other));
  const all = [...ones.records.values(), ...others.records.values()];
  if (isEveryKeyAsked && all.some(isRotatedByUnknownKey)) return true;
  return haveAskedOrigin(ones, others, isEveryKeyAsked);
}

function haveAskedOrigin(ones: Origins, others: Origins, isEveryKeyAsked: boolean): boolean {
  return [...ones.records].some(
    ([id, { approvals }]) => others.records.has(id) && (isEveryKeyAsked || asksPerson(approvals)),
  );
}

function asksEveryKey(
  { policy, hasPreToolRule }: FamilyHost,
  { approvalId, gate, hidden = [] }: AskedQuestion,
  asker: KeyRecord | undefined,
): boolean {
  if (asksPerson(policy?.approvals) || hasPreToolRule === true) return true;
  if (gate === "pre_tool" || hidden.length > 0) return true;
  return approvalId !== undefined && !asksPerson(asker?.approvals);
}

/** Whether approval rules can ask a person at all. */
function asksPerson(approvals: AgentPolicy["approvals"]): boolean {
  return (
    approvals?.requireForSideEffectAtOrAbove !== undefined ||
    approvals?.requireForCostEffectAtOrAbove !== undefined
  );
}

/**
 * Whether what a key had decided counts for nothing: it was ended since, with that key or with one that it comes from; or that key is of
 * the family of the one that would use it, which has had a secret of it since, or had one at the same time.
 */
export async function isDecisionOver(
  host: FamilyHost,
  { accountId, keyId, decidedBy, decidedAt, question }: Decision,
): Promise<boolean> {
  if (decidedBy?.kind !== "key") return false;
  const deciders = await originsOf(host, accountId, decidedBy.keyId);
  const isEnded = [...deciders.records.values()].some(
    ({ decisionsEndedAt = "" }) => decidedAt !== undefined && decidedAt <= decisionsEndedAt,
  );
  if (isEnded) return true;
  const users = await originsOf(host, accountId, keyId);
  return haveAskedOrigin(deciders, users, asksEveryKey(host, question ?? {}, users.records.get(keyId)));
}

type Origins = { readonly records: ReadonlyMap<string, KeyRecord>; readonly isWhole: boolean };

/**
 * A key and all keys that made it or received a secret of it, directly or not; also keys that have ended. `isWhole` is false if the record
 * of one of them is gone: records are never removed here.
 */
async function originsOf(
  { store, installation }: Pick<FamilyHost, "store" | "installation">,
  accountId: string,
  keyId: string,
): Promise<Origins> {
  const records = new Map<string, KeyRecord>();
  let isWhole = true;
  const open = [keyId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (records.has(id)) continue;
    // oxlint-disable-next-line no-await-in-loop -- each names who made it
    const document = await store.document({ kind: keyKind, accountId, id });
    if (document === undefined) {
      // Whoever holds the platform, or sits at its machine, is no key.
      isWhole &&= id === keyId || !id.startsWith("key_");
      continue;
    }
    const record = readKeyRecord(document, installation.keyHash);
    records.set(id, record);
    open.push(record.createdBy, ...(record.rotatedBy ?? []));
  }
  return { records, isWhole };
}

/** An earlier version did not record which key received the new secret: any key of the account may have it. */
function isRotatedByUnknownKey({ rotatedAt, rotatedBy }: KeyRecord): boolean {
  return rotatedAt !== undefined && rotatedBy === undefined;
}
