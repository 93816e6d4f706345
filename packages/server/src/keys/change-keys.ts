// Making, changing and ending keys. Each change is a list of documents, written together with the record of the call that made it.
import {
  type AgentPolicy,
  canonicalJson,
  combinedApprovals,
  ForbiddenError,
  InvalidInputError,
  InvalidTransitionError,
  matchesToolPattern,
  NotFoundError,
  parsePolicy,
  redactText,
  type Scope,
  SecretRegistry,
  snapshotJson,
} from "@spfunctions/contracts";
import {
  type Clock,
  type DocumentWrite,
  type Ids,
  type Installation,
  installationAccount,
  keptLevels,
  type Store,
  type ToolContext,
} from "@spfunctions/kernel";
import { randomBytes } from "node:crypto";
import {
  isLive,
  type KeyRecord,
  keyKind,
  keyRecordSchema,
  keyRecordText,
  mostSecrets,
  keySecretKind,
  type Quotas,
  type RateLimit,
  readKeyRecord,
} from "./key-record.ts";
import { type KeyView, viewOf } from "./key-view.ts";
import { areOneFamily } from "./key-family.ts";

export type KeyHost = {
  readonly store: Store;
  readonly installation: Installation;
  readonly clock: Clock;
  readonly ids: Ids;
};

export type NewKey = {
  readonly name?: string | undefined;
  readonly scopes?: readonly Scope[] | undefined;
  readonly allowTools?: readonly string[] | undefined;
  readonly trade?: AgentPolicy["trade"];
  readonly approvals?: AgentPolicy["approvals"];
  readonly expiresAt?: string | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly quotas?: Quotas | undefined;
};

export type ChangedKey = {
  readonly documents: readonly DocumentWrite[];
  readonly key: KeyView;
  /** Shown once, kept nowhere. */
  readonly secret: string;
};

/**
 * How long the secret before the last is good after a rotation.
 * @limit key.rotationMs | `invalid_api_key` | `sf keys revoke` ends it at once; otherwise fixed
 */
const graceMs = 24 * 3_600_000;

type Caller = ToolContext["principal"];

export async function newKey(host: KeyHost, caller: Caller, input: NewKey): Promise<ChangedKey> {
  const { clock, ids, installation } = host;
  const now = clock.now();
  await requireWithin(host, caller, input);
  const { name = "key", scopes = ["read"], trade, ...terms } = input;
  requireSound({ ...input, name, scopes }, now);
  const secret = newSecret();
  const record = keyRecordSchema.parse(
    snapshotJson({
      ...terms,
      name,
      scopes: [...new Set(scopes)],
      trade: trade && keptTrade(trade, installation),
      keyId: `key_${ids.unique()}`,
      accountId: caller.accountId,
      createdAt: new Date(now).toISOString(),
      createdBy: caller.keyId,
      secrets: [{ hash: installation.keyHash(secret) }],
    }),
  );
  return { documents: [writeKey(host, record, 0), lead(record)], key: viewOf(record, now), secret };
}

/** A new secret for a key; the one before stays good for a day. */
export async function rotateKey(host: KeyHost, caller: Caller, keyId: string): Promise<ChangedKey> {
  const { clock, installation } = host;
  const now = clock.now();
  const { record, revision } = await readKey(host, caller.accountId, keyId);
  if (!isLive(record, now))
    throw new InvalidTransitionError(`the key ${keyId} is revoked or has expired; make a new one`);
  await requireWithin(host, caller, record);
  await requireOwnFamily(host, caller, record);
  const secret = newSecret();
  const [last, ...older] = record.secrets;
  const validUntil = new Date(now + graceMs).toISOString();
  const isOver = ({ validUntil: end }: KeyRecord["secrets"][number]) =>
    end !== undefined && now >= Date.parse(end);
  const living = older.filter((one) => !isOver(one));
  if (living.length + 2 > mostSecrets)
    throw new InvalidTransitionError(
      `the key ${keyId} was rotated ${living.length + 1} times within a day; wait, or revoke it and make a new one`,
    );
  const next: KeyRecord = {
    ...record,
    rotatedAt: new Date(now).toISOString(),
    ...rotators(record, caller),
    secrets: [
      { hash: installation.keyHash(secret) },
      ...(last === undefined ? [] : [{ hash: last.hash, validUntil }]),
      ...living,
    ],
  };
  const documents = [
    writeKey(host, next, revision),
    lead(next),
    ...(await withoutLeads(
      host,
      older.filter(isOver).map(({ hash }) => hash),
    )),
  ];
  return { documents, key: viewOf(next, now), secret };
}

/**
 * Ends a key at once, with every secret and token of it. Ending one that has ended changes nothing. `withDecided`: all that it has
 * decided ends as well.
 */
export async function revokeKey(
  host: KeyHost,
  caller: Caller,
  keyId: string,
  { withDecided = false }: { readonly withDecided?: boolean } = {},
): Promise<Omit<ChangedKey, "secret">> {
  const now = host.clock.now();
  const { record, revision } = await readKey(host, caller.accountId, keyId);
  const isToMark = withDecided && record.decisionsEndedAt === undefined;
  if (record.revokedAt !== undefined && !isToMark) return { documents: [], key: viewOf(record, now) };
  await requireWithin(host, caller, record);
  const at = new Date(now).toISOString();
  const next: KeyRecord = {
    ...record,
    revokedAt: record.revokedAt ?? at,
    ...(isToMark && { decisionsEndedAt: at }),
    secrets: [],
  };
  const leads = await withoutLeads(
    host,
    record.secrets.map(({ hash }) => hash),
  );
  return { documents: [writeKey(host, next, revision), ...leads], key: viewOf(next, now) };
}

/** I1: another account's key is as missing as one that never was. */
async function readKey(
  { store, installation }: KeyHost,
  accountId: string,
  keyId: string,
): Promise<{ record: KeyRecord; revision: number }> {
  const document = await store.document({ kind: keyKind, accountId, id: keyId });
  if (document === undefined)
    throw new NotFoundError("there is no such key in this account; keys.list shows those there are");
  return { record: readKeyRecord(document, installation.keyHash), revision: document.revision };
}

/** A key that is bounded itself makes, changes and ends none beyond its own bounds. */
async function requireWithin(
  host: KeyHost,
  { accountId, keyId, kind }: Caller,
  wanted: Pick<NewKey, "allowTools" | "expiresAt" | "approvals"> & { readonly keyId?: string },
): Promise<void> {
  if (kind === "operator") return;
  const { record: own } = await readKey(host, accountId, keyId);
  // It may have ended since it was let in.
  if (!isLive(own, host.clock.now())) throw new ForbiddenError("this key has ended, and changes nothing");
  const { allowTools, expiresAt, rateLimit, quotas } = own;
  const isCovered = (pattern: string) =>
    allowTools?.some((one) => one === pattern || matchesToolPattern(pattern, one)) === true;
  if (allowTools !== undefined && wanted.allowTools?.every(isCovered) !== true)
    throw new ForbiddenError(
      "this key is bounded to some tools, and can make or change only keys bounded to those",
    );
  const isLater =
    wanted.expiresAt === undefined || Date.parse(wanted.expiresAt) > Date.parse(expiresAt ?? "");
  if (expiresAt !== undefined && isLater)
    throw new ForbiddenError(
      `this key expires at ${expiresAt}, and can make or change only keys that expire by then`,
    );
  // Each key is counted for itself: with another one it would have the same once more.
  if ((rateLimit ?? quotas) !== undefined && wanted.keyId !== keyId)
    throw new ForbiddenError(
      "this key has a rate limit or quotas, and makes and changes no other key; use an admin key that has neither",
    );
  if (isLessAsked(wanted.approvals, own.approvals))
    throw new ForbiddenError(
      "of this key's calls a person must approve some, and it can make or change only keys of which at least those must be approved, by nobody else and within no longer time",
    );
}

/** A2: a key of whose calls a person must approve some by its own rules gets no secret of a key of another family. */
async function requireOwnFamily(
  { store, installation }: KeyHost,
  { accountId, keyId }: Caller,
  { keyId: wanted }: KeyRecord,
): Promise<void> {
  const host = { store, installation };
  const isAsked = await areOneFamily(host, { accountId, keyIds: [keyId, keyId] });
  if (!isAsked || (await areOneFamily(host, { accountId, keyIds: [keyId, wanted] }))) return;
  throw new ForbiddenError(
    "of this key's calls a person must approve some, and it rotates only itself and keys that it has made; use an admin key without approvals",
  );
}

/** A2: the key that receives the new secret is an origin of this one from now on. */
function rotators({ keyId, rotatedAt, rotatedBy }: KeyRecord, by: Caller): Pick<KeyRecord, "rotatedBy"> {
  const known = rotatedBy ?? (rotatedAt === undefined ? [] : undefined);
  if (known === undefined) return {};
  const isOther = by.kind === "key" && by.keyId !== keyId && !known.includes(by.keyId);
  return { rotatedBy: isOther ? [...known, by.keyId] : known };
}

/** Whether rules ask less often, or are answered more easily, than others: those of both together would be stricter. */
function isLessAsked(wanted: NewKey["approvals"], own: KeyRecord["approvals"]): boolean {
  if (own === undefined) return false;
  const levels = [wanted ?? {}, own].map(
    (approvals) => ({ level: "key", policy: parsePolicy({ approvals }) }) as const,
  );
  return canonicalJson(combinedApprovals(levels)) !== canonicalJson(combinedApprovals(levels.slice(0, 1)));
}

function requireSound({ name, scopes, trade, expiresAt, approvals }: NewKey, now: number): void {
  const secret = secretIn({ name, trade, approvals });
  if (secret !== undefined) throw bad(secret.path, secret.message);
  if (scopes?.includes("trade") === true && trade === undefined)
    throw bad(
      "/trade",
      "a key with the scope trade needs its guardrails: allowedVenues, maxOrderCostCents, maxQuantity",
    );
  if (scopes?.includes("trade") !== true && trade !== undefined)
    throw bad("/trade", "guardrails are for keys with the scope trade");
  if (expiresAt !== undefined && !(Date.parse(expiresAt) > now))
    throw bad("/expiresAt", "expiresAt has passed");
}

/** S1: says where a key's terms, which are kept and shown as they are, hold a secret. */
export function secretIn({
  name,
  trade,
  approvals,
}: Pick<NewKey, "name" | "trade" | "approvals">): { path: string; message: string } | undefined {
  if (isSecret(name))
    return { path: "/name", message: "a key's name is kept and shown: do not put a secret into it" };
  const { allowedVenues = [], blockedJurisdictions = [], jurisdiction } = trade ?? {};
  if ([...allowedVenues, ...blockedJurisdictions, jurisdiction].some(isSecret))
    return {
      path: "/trade",
      message: "guardrails are kept and shown: do not put a secret into them, besides confirmToken",
    };
  if (approvals?.approvers?.some(isSecret) === true)
    return {
      path: "/approvals/approvers",
      message: "approvers are kept and shown: name keys by their ids",
    };
  return undefined;
}

function isSecret(text: string | undefined): boolean {
  return text !== undefined && redactText(text) !== text;
}

/**
 * The word that confirms an order is kept as its keyed hash alone. Its account chose it: it is not looked for in the texts of
 * others, where it may be an ordinary word (I1).
 */
function keptTrade(trade: NonNullable<NewKey["trade"]>, { keyHash }: Installation): KeyRecord["trade"] {
  const levels = [{ level: "key", policy: parsePolicy({ trade }) } as const];
  return keptLevels(levels, keyHash, new SecretRegistry())[0]?.policy.trade;
}

function writeKey({ installation }: KeyHost, record: KeyRecord, expects: number): DocumentWrite {
  const { accountId, keyId, revokedAt } = record;
  return {
    type: "put",
    kind: keyKind,
    accountId,
    id: keyId,
    expects,
    status: revokedAt === undefined ? "active" : "revoked",
    body: keyRecordText(record, installation.keyHash),
  };
}

/** What leads from a secret's hash to its key. */
function lead({ accountId, keyId, secrets }: KeyRecord): DocumentWrite {
  const id = secrets[0]?.hash ?? "";
  const body = canonicalJson({ accountId, keyId });
  return {
    type: "put",
    kind: keySecretKind,
    accountId: installationAccount,
    id,
    expects: 0,
    status: "kept",
    body,
  };
}

async function withoutLeads({ store }: KeyHost, hashes: readonly string[]): Promise<DocumentWrite[]> {
  const leads = await store.documentsById(keySecretKind, installationAccount, hashes);
  return leads.map(({ id, revision }) => ({
    type: "remove",
    kind: keySecretKind,
    accountId: installationAccount,
    id,
    expects: revision,
  }));
}

/** 32 characters of 6 bits each. */
function newSecret(): string {
  return `sf_live_${randomBytes(24).toString("base64url")}`;
}

function bad(path: string, message: string): InvalidInputError {
  return new InvalidInputError(message, { details: { path } });
}
