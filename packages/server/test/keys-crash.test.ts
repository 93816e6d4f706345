// A process that dies while it changes a key: the key is changed with the record of the call, or not at all.
import { createMemoryStore, type Store } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { atFirst, FaultyStore } from "../../kernel/test-data/call-store.ts";
import type { KeyView } from "../src/keys/key-view.ts";
import { openPlatform } from "../src/open-platform.ts";
import { ask, type Asked, generous, installation, testPlatform } from "../test-data/test-platform.ts";

type Change = (keyId: string) => readonly [string, Asked];
const create: Change = () => ["/api/keys", { body: { name: "second", scopes: ["read"] } }];
const rotate: Change = (keyId) => [`/api/keys/${keyId}/rotate`, { method: "POST" }];
const revoke: Change = (keyId) => [`/api/keys/${keyId}`, { method: "DELETE" }];

/** Dies as the call's end is written, or just after it was. Nothing of that process is closed: it is gone. */
async function crash(change: Change, isWritten: boolean) {
  const inner: Store = createMemoryStore();
  const store = new FaultyStore(inner);
  const clock = new ManualClock();
  const platform = await openPlatform({ store, installation, limits: generous, clock });
  const admin = await platform.createKey("acct_1", { scopes: ["admin"] });
  const first = await platform.createKey("acct_1", { name: "first", scopes: ["read", "write"] });
  const here = { baseUrl: "http://localhost", fetch: platform.fetch };
  store.fault = atFirst("call.settled", { type: "die", written: isWritten });
  const [path, asked] = change(first.key.keyId);
  const headers = { "idempotency-key": "once" };
  void ask(here, path, { ...asked, key: admin.secret, headers });
  await store.died.promise;
  const next = await testPlatform("embedded", { store: inner, clock });
  const listed = await ask(next, "/api/keys", { key: admin.secret });
  const { items } = (listed.body.ok ? listed.body.data : { items: [] }) as { items: KeyView[] };
  const leads = await inner.documents({ kind: "key.secret", accountId: "", limit: 100 });
  return {
    settled: next.platform.settled.map(({ tool, outcome }) => `${tool} ${outcome}`),
    names: items.map(({ name, status }) => `${name} ${status}`).toSorted(),
    rotated: items.filter(({ rotatedAt }) => rotatedAt !== undefined).length,
    leads: leads.length,
    isGood: (await ask(next, "/api/runtime", { key: first.secret })).status === 200,
    again: async () => await ask(next, path, { ...asked, key: admin.secret, headers }),
  };
}

describe("before its end was written nothing has changed, and the call is settled as failed:", () => {
  test.each<[string, Change]>([
    ["keys.create", create],
    ["keys.rotate", rotate],
    ["keys.revoke", revoke],
  ])("%s", async (tool, change) => {
    const { again, ...found } = await crash(change, false);
    expect(found).toStrictEqual({
      settled: [`${tool} failed`],
      names: ["first active", "key active"],
      rotated: 0,
      leads: 2,
      isGood: true,
    });
    // What has failed stays failed under its key: whoever wants it anew asks anew.
    expect((await again()).body.ok).toBe(false);
  });
});

describe("after its end was written all of it has changed, and a repetition shows no secret:", () => {
  test.each<[string, Change, object]>([
    ["keys.create", create, { names: ["first active", "key active", "second active"], leads: 3 }],
    ["keys.rotate", rotate, { names: ["first active", "key active"], leads: 3, rotated: 1 }],
    ["keys.revoke", revoke, { names: ["first revoked", "key active"], leads: 1, isGood: false }],
  ])("%s", async (_, change, expected) => {
    const { again, ...found } = await crash(change, true);
    expect(found).toStrictEqual({ settled: [], rotated: 0, isGood: true, ...expected });
    const { body } = await again();
    expect(body).toMatchObject({ ok: true, meta: { replayed: true } });
    expect(JSON.stringify(body)).not.toContain("sf_live_");
  });
});
