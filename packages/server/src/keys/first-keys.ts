// The first start makes two keys and keeps them where their owner alone can read them: one to manage, one to begin with.
import {
  canonicalJson,
  HostConfigurationNeededError,
  strictObject,
  type Scope,
} from "@spfunctions/contracts";
import { makeKeyFile, readKeyFile } from "@spfunctions/host/installation";
import { installationAccount, randomIds, readKept, type Store } from "@spfunctions/kernel";
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
};

const roles = [
  ["operator", ["admin"]],
  ["starter", ["read", "write"]],
] as const satisfies readonly (readonly [FirstKey["role"], readonly Scope[]])[];

/** The two keys of a data folder. One whose file is gone is made anew; the one that was in it stays good. */
export async function firstKeys({
  store,
  platform,
  configFolder,
  accountId,
}: FirstKeysTerms): Promise<FirstKey[]> {
  const folder = join(configFolder, "keys", await nameOf(store, accountId));
  const keys: FirstKey[] = [];
  for (const [role, scopes] of roles) {
    const path = join(folder, `${role}.key`);
    const known = readKeyFile(path);
    if (known !== undefined) {
      keys.push({ role, scopes, path, secret: known, isNew: false });
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

function occupied(path: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(
    `${path} holds something that is no key of this start; remove it unless it is a key, and start again`,
  );
}

const nameSchema = strictObject({
  name: z.string().regex(/^[\w-]{8,64}$/),
  accountId: z.string().optional(),
});

/** What the store is called in the configuration folder, in which several may have keys. */
async function nameOf(store: Store, accountId: string): Promise<string> {
  const key = { kind: "platform", accountId: installationAccount, id: "platform" } as const;
  const body = canonicalJson({ name: randomIds.unique(), accountId });
  await store.commit({
    durability: "power",
    now: Date.now(),
    documents: [{ type: "keep", ...key, status: "kept", body }],
  });
  const kept = (await store.document(key))?.body ?? "";
  const { name, accountId: owner = accountId } = readKept(
    nameSchema,
    kept,
    "what this data folder is called",
  );
  if (owner === accountId) return name;
  throw new HostConfigurationNeededError(
    `the first keys of this data folder are those of account ${owner}, and ${accountId} was asked for; start it as ${owner}, or on another data folder`,
    { details: { reason: "other_account" } },
  );
}
