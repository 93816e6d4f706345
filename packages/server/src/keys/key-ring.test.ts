// Which key a secret belongs to: remembered for a moment, and never beyond a change that this process made itself.
import { hashText } from "@spfunctions/contracts";
import { createMemoryStore, randomIds, type Store } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { FaultyStore } from "../../../kernel/test-data/call-store.ts";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { gate, turn } from "../../../kernel/test-data/call-waiting.ts";
import { installation } from "../../test-data/test-platform.ts";
import { type ChangedKey, type KeyHost, newKey, revokeKey, rotateKey } from "./change-keys.ts";
import { keyKind, keySecretKind } from "./key-record.ts";
import { KeyRing } from "./key-ring.ts";

const operator = { accountId: "acct_1", keyId: "operator", scopes: ["admin"], kind: "operator" } as never;

async function ringed(inner: Store = createMemoryStore()) {
  const store = new FaultyStore(inner);
  const clock = new ManualClock();
  const host: KeyHost = { store, installation, clock, ids: randomIds };
  const write = async ({ documents }: Pick<ChangedKey, "documents">) =>
    await store.inner.commit({ durability: "power", now: clock.now(), documents });
  const made = await newKey(host, operator, { scopes: ["read"] });
  await write(made);
  const { key, secret } = made;
  const revoke = async () => await write(await revokeKey(host, operator, key.keyId));
  return { store, clock, host, write, keyId: key.keyId, secret, revoke, ring: new KeyRing(host, 1000) };
}

test("a secret leads to its key, and nothing else does", async () => {
  const { ring, secret, keyId } = await ringed();
  expect((await ring.find(secret))?.record.keyId).toBe(keyId);
  const others = [
    `${secret}x`,
    secret.slice(0, -1),
    keyId,
    hashText(secret),
    installation.keyHash(secret),
    "",
  ];
  const found = await Promise.all(others.map(async (other) => await ring.find(other)));
  expect(found).toStrictEqual(others.map(() => undefined));
});

describe("a change", () => {
  test("of this process is seen at once", async () => {
    const { ring, secret, revoke } = await ringed();
    expect(await ring.find(secret)).toBeDefined();
    await revoke();
    ring.forget("acct_1");
    expect(await ring.find(secret)).toBeUndefined();
  });

  test("of another process is seen when what is remembered has aged", async () => {
    const { ring, secret, revoke, clock } = await ringed();
    await ring.find(secret);
    await revoke();
    clock.advance(999);
    expect(await ring.find(secret)).toBeDefined();
    clock.advance(1);
    expect(await ring.find(secret)).toBeUndefined();
  });

  test("while a key is being read is not forgotten again for what was read before it", async () => {
    const { ring, secret, revoke, store } = await ringed();
    const answered = gate();
    const { inner } = store;
    const slow: Store = Object.assign(Object.create(inner) as Store, {
      document: async (key: Parameters<Store["document"]>[0]) => {
        const found = await inner.document(key);
        if (key.kind === keyKind) await answered.promise;
        return found;
      },
    });
    const beside = new KeyRing({ store: slow, installation, clock: new ManualClock() }, 1000);
    const early = beside.find(secret);
    await turn();
    await revoke();
    beside.forget("acct_1");
    answered.resolve();
    await early;
    expect(await beside.find(secret)).toBeUndefined();
    expect(await ring.find(secret)).toBeUndefined();
  });

  test("of one account is not looked for in another", async () => {
    const { ring, secret, revoke } = await ringed();
    await ring.find(secret);
    await revoke();
    ring.forget("acct_2");
    expect(await ring.find(secret)).toBeDefined();
  });
});

test("what is remembered expires with the key, to the millisecond", async () => {
  const { host, write, clock } = await ringed();
  const ring = new KeyRing(host, 3_600_000);
  const short = await newKey(host, operator, { expiresAt: new Date(clock.now() + 50).toISOString() });
  await write(short);
  expect(await ring.find(short.secret)).toBeDefined();
  clock.advance(49);
  expect(await ring.find(short.secret)).toBeDefined();
  clock.advance(1);
  expect(await ring.find(short.secret)).toBeUndefined();
});

describe("whoever can write to the store but has not the installation's secret", () => {
  test("opens no key with a secret of their own", async () => {
    const { ring, host, keyId } = await ringed();
    const secret = `sf_live_${"z".repeat(32)}`;
    const body = JSON.stringify({ accountId: "acct_1", keyId });
    const lead = {
      type: "put",
      kind: keySecretKind,
      accountId: "",
      expects: 0,
      status: "kept",
      body,
    } as const;
    const ids = [installation.keyHash(secret), hashText(secret)];
    const documents = ids.map((id) => ({ ...lead, id }));
    await host.store.commit({ durability: "power", now: 0, documents });
    expect(await ring.find(secret)).toBeUndefined();
  });

  test("turns no secret into another account's key", async () => {
    const { ring, host, secret, write } = await ringed();
    const other = await newKey(host, { ...(operator as object), accountId: "acct_2" } as never, {
      scopes: ["admin"],
    });
    await write(other);
    const id = installation.keyHash(secret);
    const body = JSON.stringify({ accountId: "acct_2", keyId: other.key.keyId });
    await host.store.commit({
      durability: "power",
      now: 0,
      documents: [{ type: "put", kind: keySecretKind, accountId: "", id, expects: 1, status: "kept", body }],
    });
    expect(await ring.find(secret)).toBeUndefined();
  });
});

describe("a key that has ended since its request was let in", () => {
  test.each([
    ["makes no other", async (host: KeyHost, caller: never) => await newKey(host, caller, {})],
    [
      "rotates none",
      async (host: KeyHost, caller: never, keyId: string) => await rotateKey(host, caller, keyId),
    ],
    [
      "revokes none",
      async (host: KeyHost, caller: never, keyId: string) => await revokeKey(host, caller, keyId),
    ],
  ])("%s", async (_, act) => {
    const { host, write, keyId } = await ringed();
    const admin = await newKey(host, operator, { scopes: ["admin"] });
    await write(admin);
    const caller = { accountId: "acct_1", keyId: admin.key.keyId, scopes: ["admin"], kind: "key" } as never;
    expect(await act(host, caller, keyId)).toHaveProperty("documents");
    await write(await revokeKey(host, operator, admin.key.keyId));
    await expect(act(host, caller, keyId)).rejects.toMatchObject({ code: "forbidden" });
  });
});
