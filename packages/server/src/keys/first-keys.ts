// The first start makes two keys and keeps them where their owner alone can read them: one to manage, one to begin with.
import {
  canonicalJson,
  HostConfigurationNeededError,
  strictObject,
  type Scope,
} from "@spfunctions/contracts";
import { makeKeyFile, readKeyFile } from "@spfunctions/host/installation";
import {
  type Clock,
  installationAccount,
  randomIds,
  readKept,
  type Store,
  systemClock,
} from "@spfunctions/kernel";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Platform } from "../open-platform.ts";

export type FirstKey = {
  readonly role: "operator" | "starter";
  readonly scopes: readonly Scope[];
  /** The file that holds it. */
  readonly path: string;
  readonly secret: string;
  /** Whether it was made just now. */
  readonly isNew: boolean;
};

export type FirstKeysTerms = {
  readonly store: Store;
  readonly platform: Pick<Platform, "createKey">;
  readonly configFolder: string;
  /** Whose they are. */
  readonly accountId: string;
  /** Whether another account may have its own besides: for somebody who manages it, and not for a start that names the wrong one. */
  readonly isBeside?: boolean | undefined;
  /** Whether no other process is at the store, as where one drives a folder: whoever had a turn before has died in it. */
  readonly isAlone?: boolean | undefined;
  /** The platform's. */
  readonly clock?: Clock | undefined;
};

const roles = [
  ["operator", ["admin"]],
  ["starter", ["read", "write"]],
] as const satisfies readonly (readonly [FirstKey["role"], readonly Scope[]])[];

/** The two keys of a store. One whose file is gone is made anew; the one that was in it stays good. */
export async function firstKeys({
  store,
  platform,
  configFolder,
  accountId,
  isBeside = false,
  isAlone = false,
  clock = systemClock,
}: FirstKeysTerms): Promise<FirstKey[]> {
  const folder = join(configFolder, "keys", await nameFor({ store, clock, accountId }, isBeside));
  const known = roles.flatMap(([role, scopes]) => keyIn(folder, role, scopes) ?? []);
  if (known.length === roles.length) return known;
  return await inTurn({ store, clock, isAlone }, () => makeKeys(folder, platform, accountId));
}

function keyIn(folder: string, role: FirstKey["role"], scopes: readonly Scope[]): FirstKey | undefined {
  const path = join(folder, `${role}.key`);
  const secret = readKeyFile(path);
  return secret === undefined ? undefined : { role, scopes, path, secret, isNew: false };
}

async function makeKeys(
  folder: string,
  platform: FirstKeysTerms["platform"],
  accountId: string,
): Promise<FirstKey[]> {
  const keys: FirstKey[] = [];
  for (const [role, scopes] of roles) {
    const path = join(folder, `${role}.key`);
    const known = keyIn(folder, role, scopes);
    if (known !== undefined) {
      keys.push(known);
      continue;
    }
    // Before a key is made that could be kept nowhere.
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw occupied(path);
    // oxlint-disable-next-line no-await-in-loop -- two
    const { secret } = await platform.createKey(accountId, { name: role, scopes });
    if (!makeKeyFile(path, secret)) throw occupied(path);
    keys.push({ role, scopes, path, secret, isNew: true });
  }
  return keys;
}

/** Longer than making two keys takes. */
const turnMs = 10_000;

type Turn = { readonly store: Store; readonly clock: Clock; readonly isAlone: boolean };

/** On a database several may start at once: one makes the keys, and the others find them. */
async function inTurn<Done>({ store, clock, isAlone }: Turn, act: () => Promise<Done>): Promise<Done> {
  const key = { accountId: installationAccount, scope: "first keys", key: "first keys" } as const;
  const digest = randomIds.unique();
  const take = async () => {
    const now = clock.now();
    const claim = { type: "take", ...key, digest, expiresAt: now + turnMs, ref: "" } as const;
    const result = await store.commit({ durability: "process", now, claims: [claim] });
    const other = result.type === "conflict" && result.on === "claim" ? result.claim : undefined;
    const latest = isAlone ? now : claim.expiresAt;
    // Also where the clock was set back since: whoever has died must not keep the others waiting until then.
    if (other !== undefined && other.expiresAt > latest) {
      const sooner = { ...other, type: "update", expiresAt: latest } as const;
      await store.commit({ durability: "process", now, claims: [sooner] });
    }
    return result.type === "committed";
  };
  // oxlint-disable-next-line no-await-in-loop -- until it is this one's turn
  while (!(await take())) await new Promise<void>((resolve) => clock.after(20, resolve));
  try {
    return await act();
  } finally {
    const claims = [{ type: "release", ...key, digest }] as const;
    await store.commit({ durability: "process", now: clock.now(), claims });
  }
}

function occupied(path: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(
    `${path} holds something that is no key of this start; remove it unless it is a key, and start again`,
  );
}

const nameSchema = strictObject({
  name: z.string().regex(/^[\w-]{8,64}$/),
  accountId: z.string().optional(),
});

type Named = { readonly store: Store; readonly clock: Clock; readonly accountId: string };

/** What the store is called in the configuration folder, in which several may have keys. */
async function nameFor(of: Named, isBeside: boolean): Promise<string> {
  const { accountId } = of;
  const first = await kept(of, "platform");
  if (first.owner === accountId) return first.name;
  if (isBeside) return (await kept(of, `platform of ${accountId}`)).name;
  throw new HostConfigurationNeededError(
    `the first keys of this data folder are those of account ${first.owner}, and ${accountId} was asked for; start it as ${first.owner}, or on another data folder`,
    { details: { reason: "other_account" } },
  );
}

async function kept(
  { store, clock, accountId }: Named,
  id: string,
): Promise<{ readonly name: string; readonly owner: string }> {
  const key = { kind: "platform", accountId: installationAccount, id } as const;
  const body = canonicalJson({ name: randomIds.unique(), accountId });
  await store.commit({
    durability: "power",
    now: clock.now(),
    documents: [{ type: "keep", ...key, status: "kept", body }],
  });
  const text = (await store.document(key))?.body ?? "";
  const { name, accountId: owner = accountId } = readKept(
    nameSchema,
    text,
    "what this data folder is called",
  );
  return { name, owner };
}
