// The two keys of a data folder: made once, kept where their owner alone can read them.
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createMemoryStore, type Store } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { dataFolder } from "../../../host/test/data-folder.ts";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { settlement, until } from "../../../kernel/test-data/call-waiting.ts";
import { ask, type TestPlatform, testPlatform } from "../../test-data/test-platform.ts";
import { firstKeys } from "./first-keys.ts";
import { keyKind } from "./key-record.ts";

type Start = { readonly store: Store; readonly configFolder: string };

function place(): Start {
  return { store: createMemoryStore(), configFolder: dataFolder() };
}

/** A platform's start on a data folder, and its end. */
async function start({ store, configFolder }: Start) {
  const here = await testPlatform("embedded", { store });
  const keys = async () =>
    await firstKeys({ store, platform: here.platform, configFolder, accountId: "acct_1" });
  return { here, keys };
}

async function statusWith(here: TestPlatform, key: string | undefined, path: string): Promise<number> {
  return (await ask(here, path, { key })).status;
}

async function keysKept(store: Store): Promise<number> {
  return (await store.documents({ kind: keyKind, accountId: "acct_1", limit: 100 })).length;
}

describe("the first start", () => {
  test("makes an operator's key and a starter's, each good for its own", async () => {
    const { here, keys } = await start(place());
    const [operator, starter, ...more] = await keys();
    expect(more).toStrictEqual([]);
    expect(operator).toMatchObject({ role: "operator", scopes: ["admin"], isNew: true });
    expect(starter).toMatchObject({ role: "starter", scopes: ["read", "write"], isNew: true });
    expect(await statusWith(here, operator?.secret, "/api/keys")).toBe(200);
    expect(await statusWith(here, starter?.secret, "/api/keys")).toBe(403);
    expect(await statusWith(here, starter?.secret, "/api/agent/world")).toBe(200);
  });

  test("says whose the keys are, and a start for another account is refused", async () => {
    const at = place();
    const { here, keys } = await start(at);
    await keys();
    const other = await rejectionOf(firstKeys({ ...at, platform: here.platform, accountId: "acct_2" }));
    expect([other.code, other.message]).toStrictEqual([
      "host_configuration_needed",
      "the first keys of this data folder are those of account acct_1, and acct_2 was asked for; start it as acct_1, or on another data folder",
    ]);
    expect(await keys()).toHaveLength(2);
    // Whoever manages that account has keys for it, beside.
    const own = await firstKeys({ ...at, platform: here.platform, accountId: "acct_2", isBeside: true });
    expect(own.map(({ isNew }) => isNew)).toStrictEqual([true, true]);
    expect(await statusWith(here, own[0]?.secret, "/api/keys")).toBe(200);
    const again = await firstKeys({ ...at, platform: here.platform, accountId: "acct_2", isBeside: true });
    expect(again.map(({ secret }) => secret)).toStrictEqual(own.map(({ secret }) => secret));
    expect((await keys()).map(({ isNew }) => isNew)).toStrictEqual([false, false]);
  });

  test("keeps each alone in a file for its owner alone", async () => {
    const at = place();
    const { keys } = await start(at);
    const made = await keys();
    const folder = dirname(made[0]?.path ?? "");
    expect(folder.startsWith(join(at.configFolder, "keys"))).toBe(true);
    expect(readdirSync(folder).toSorted()).toStrictEqual(["operator.key", "starter.key"]);
    for (const { path, secret } of made) {
      expect(readFileSync(path, "utf8")).toBe(`${secret}\n`);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });
});

describe("of two starts at once", () => {
  const turnMs = 10_000;
  const turnKey = { accountId: "", scope: "first keys", key: "first keys" } as const;

  /** A start while another has its turn, and has died. */
  async function second(expiresAt: (now: number) => number, isAlone?: true) {
    const clock = new ManualClock();
    const at = place();
    const claim = {
      ...turnKey,
      type: "take",
      digest: "another",
      expiresAt: expiresAt(clock.now()),
      ref: "",
    } as const;
    await at.store.commit({ durability: "process", now: clock.now(), claims: [claim] });
    const { here } = await start(at);
    const keys = firstKeys({ ...at, platform: here.platform, accountId: "acct_1", clock, isAlone });
    await until(() => clock.waiting === 1);
    return { clock, keys };
  }

  test("the second makes the keys once the first has had its time, by the platform's clock", async () => {
    const { clock, keys } = await second((now) => now + turnMs);
    clock.advance(turnMs - 20);
    expect(await settlement(keys)).toStrictEqual({ state: "pending" });
    clock.advance(20);
    expect(await keys).toMatchObject([{ isNew: true }, { isNew: true }]);
  });

  test("the second does not wait where it is alone: the first has died", async () => {
    const { clock, keys } = await second((now) => now + turnMs, true);
    clock.advance(20);
    expect(await keys).toMatchObject([{ isNew: true }, { isNew: true }]);
  });

  test("the second waits no longer for a clock that was set back meanwhile", async () => {
    const { clock, keys } = await second((now) => now + 3_600_000);
    clock.advance(turnMs);
    expect(await keys).toMatchObject([{ isNew: true }, { isNew: true }]);
  });
});

describe("a later start", () => {
  test("keeps the keys there are", async () => {
    const at = place();
    const first = await start(at);
    const made = await first.keys();
    await first.here.platform.close();
    const second = await start(at);
    expect(await second.keys()).toStrictEqual(made.map((key) => ({ ...key, isNew: false })));
    expect(await keysKept(at.store)).toBe(2);
    expect(await statusWith(second.here, made[0]?.secret, "/api/keys")).toBe(200);
  });

  test("makes the key anew whose file is gone; the one before stays good until it is revoked", async () => {
    const at = place();
    const { here, keys } = await start(at);
    const [before, starter] = await keys();
    rmSync(before?.path ?? "");
    const [after, ...rest] = await keys();
    expect(rest).toStrictEqual([{ ...starter, isNew: false }]);
    expect(after).toMatchObject({ path: before?.path, isNew: true });
    expect(after?.secret).not.toBe(before?.secret);
    const statuses = [before, after].map(async (one) => await statusWith(here, one?.secret, "/api/keys"));
    expect(await Promise.all(statuses)).toStrictEqual([200, 200]);
  });

  test("on another data folder makes others, beside them", async () => {
    const at = place();
    const [one] = await (await start(at)).keys();
    const [other] = await (await start({ ...at, store: createMemoryStore() })).keys();
    expect(other?.isNew).toBe(true);
    expect(other?.path).not.toBe(one?.path);
    expect(readFileSync(one?.path ?? "", "utf8")).toBe(`${one?.secret}\n`);
  });
});

/** A start where something else lies in the place of a key file. */
async function withFile(put: (path: string) => void) {
  const at = place();
  const { keys } = await start(at);
  const [operator] = await keys();
  const path = operator?.path ?? "";
  rmSync(path);
  put(path);
  const before = await keysKept(at.store);
  const { code } = await rejectionOf(keys());
  return { path, code, made: (await keysKept(at.store)) - before };
}

describe("a file that is no key file", () => {
  test.each([
    ["empty", ""],
    ["a note", "do not forget the milk\n"],
    ["a key that was cut", `sf_live_${"a".repeat(31)}\n`],
    ["two keys", `sf_live_${"a".repeat(32)}\nsf_live_${"b".repeat(32)}\n`],
  ])("is left as it is, and no key is made for it: %s", async (_, text) => {
    const { path, code, made } = await withFile((at) => writeFileSync(at, text, { mode: 0o600 }));
    expect({ code, made }).toStrictEqual({ code: "host_configuration_needed", made: 0 });
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  test("is not followed to where nothing is", async () => {
    const { path, code, made } = await withFile((at) => symlinkSync(`${at}.gone`, at));
    expect({ code, made }).toStrictEqual({ code: "host_configuration_needed", made: 0 });
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });

  test.skipIf(process.platform === "win32").each([0o644, 0o640, 0o604, 0o660])(
    "with a good key that others can reach is refused (%s)",
    async (mode) => {
      const { code, made } = await withFile((at) => {
        writeFileSync(at, `sf_live_${"a".repeat(32)}\n`);
        chmodSync(at, mode);
      });
      expect({ code, made }).toStrictEqual({ code: "host_configuration_needed", made: 0 });
    },
  );
});

test.each([`{"name":"../../etc"}`, `{"name":"a/b/c/d/e/f/g"}`, `{"name":7}`, "{}"])(
  "a name in the data folder that is none leads nowhere: %s",
  async (body) => {
    const at = place();
    const { keys } = await start(at);
    const key = { kind: "platform", accountId: "", id: "platform" };
    await at.store.commit({
      durability: "power",
      now: 0,
      documents: [{ type: "put", ...key, expects: 0, status: "kept", body }],
    });
    expect(await rejectionOf(keys())).toMatchObject({ code: "journal_corrupt" });
    expect(readdirSync(at.configFolder)).toStrictEqual([]);
  },
);
