import { openSqliteSearchIndex, openSqliteStore } from "@spfunctions/host/store";
import { createMemorySearchIndex, openInstallation, type Store } from "@spfunctions/kernel";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dataFolder } from "../../../../host/test/data-folder.ts";
import { byTool, byUser, handClock, installation, memoryDesk } from "../../../test-data/memory-desk.ts";
import type { Memory } from "./memory.ts";
import { rebuildMemories } from "./rebuild-memories.ts";

const rain = "The user waters the garden unless there was rain in Lisbon.";

const idsFor = async (memory: Memory, text: string, sessionId?: string) => {
  const { hits } = await memory.retrieve({ text, ...(sessionId !== undefined && { sessionId }) });
  return hits.map(({ item }) => item.memoryId);
};

describe("what is remembered", () => {
  // proves LIVE-5.1
  test("is found by its words, and says why", async () => {
    const { clock } = handClock();
    const memory = memoryDesk().open({ clock });
    const item = await memory.remember({
      text: rain,
      tags: ["garden"],
      source: { ...byUser, sessionId: "s1" as never },
    });
    await memory.remember({ text: "The user likes tea.", source: byTool });
    expect(item).toStrictEqual({
      memoryId: expect.stringMatching(/^mem_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      text: rain,
      tags: ["garden"],
      source: { type: "user", sessionId: "s1" },
      createdAt: "2026-11-17T12:00:00.000Z",
    });
    expect(await memory.retrieve({ text: "Was there RAIN in the garden? Likes?" })).toStrictEqual({
      hits: [
        {
          item,
          score: expect.any(Number),
          ranks: { bm25: 1 },
          scores: { bm25: expect.any(Number) },
          trust: "user",
          matched: ["was", "there", "rain", "in", "the", "garden"],
        },
        expect.objectContaining({ ranks: { bm25: 2 }, trust: "untrusted", matched: ["the", "likes"] }),
      ],
      ways: ["bm25"],
      troubles: [],
    });
    expect(await memory.get(item.memoryId)).toStrictEqual(item);
  });

  test("is found by its tags", async () => {
    const memory = memoryDesk().open();
    const { memoryId } = await memory.remember({ text: rain, tags: ["orchard"], source: byUser });
    expect(await idsFor(memory, "orchard")).toEqual([memoryId]);
  });

  // proves LIVE-5.1
  test("twice from one source is one memory, with the tags of both, as it was first said", async () => {
    const { clock, pass } = handClock();
    const memory = memoryDesk().open({ clock });
    const first = await memory.remember({ text: rain, tags: ["a"], source: { ...byUser, revision: 1 } });
    pass(1000);
    const again = await memory.remember({
      text: ` ${rain}\n`,
      tags: ["b", "a"],
      source: { ...byUser, revision: 9 },
    });
    expect(again).toStrictEqual({ ...first, tags: ["a", "b"] });
    expect((await memory.list()).items).toStrictEqual([again]);
    expect(await idsFor(memory, "b")).toEqual([first.memoryId]);
  });

  test("by a tool does not become a user's by being said again, nor the other way round", async () => {
    const memory = memoryDesk().open();
    const items = await memory.rememberAll(
      [byTool, byUser, { ...byTool, name: "mail.read" }, byTool].map((source) => ({ text: rain, source })),
    );
    expect(new Set(items.map(({ memoryId }) => memoryId)).size).toBe(3);
    const { hits } = await memory.retrieve({ text: rain });
    expect(hits.map(({ trust }) => trust).toSorted()).toEqual(["untrusted", "untrusted", "user"]);
  });

  test("can be looked for in one session alone, however much there is of others", async () => {
    const memory = memoryDesk().open();
    const source = (sessionId: string) => ({ ...byUser, sessionId: sessionId as never });
    await memory.rememberAll(
      Array.from({ length: 300 }, (_, i) => ({ text: `rain ${i}`, source: source("other") })),
    );
    const { memoryId } = await memory.remember({
      text: `rain ${"and wind ".repeat(50)}`,
      source: source("own"),
    });
    expect(await idsFor(memory, "rain", "own")).toEqual([memoryId]);
    expect(await idsFor(memory, "rain", "nowhere")).toEqual([]);
  });

  test("is listed page by page", async () => {
    const memory = memoryDesk().open();
    const items = await memory.rememberAll(
      ["a", "b", "c", "d", "e"].map((text) => ({ text, source: byUser })),
    );
    const inOrder = items.toSorted((a, b) => (a.memoryId < b.memoryId ? -1 : 1));
    const first = await memory.list({ limit: 2 });
    expect(first).toStrictEqual({ items: inOrder.slice(0, 2), next: inOrder[1]?.memoryId });
    const rest = await memory.list({ after: first.next as string, limit: 10 });
    expect(rest).toStrictEqual({ items: inOrder.slice(2) });
  });

  test("asked for nothing, nothing is answered", async () => {
    const memory = memoryDesk().open();
    await memory.remember({ text: rain, source: byUser });
    const nothing = { hits: [], ways: [], troubles: [] };
    expect(await memory.retrieve({ text: "rain", limit: 0 })).toEqual(nothing);
    expect(await memory.retrieve({ text: "rain", limit: Number.NaN })).toEqual(nothing);
    expect(await memory.retrieve({ text: " \n" })).toEqual(nothing);
    expect((await memory.retrieve({ text: "volcano" })).hits).toEqual([]);
    expect(await memory.get("mem_nothing-there")).toBeUndefined();
  });
});

describe("what is too much", () => {
  test("is refused, and says what to do", async () => {
    const memory = memoryDesk().open();
    await memory.remember({ text: "x".repeat(8000), source: byUser });
    await expect(memory.remember({ text: "x ".repeat(4001), source: byUser })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/at most 8000 characters, and this has 8001; .*rememberLong/),
      details: { path: "/text", reason: "too_long", most: 8000 },
    });
    await expect(memory.rememberLong({ text: "x ".repeat(600_000), source: byUser })).rejects.toMatchObject({
      code: "invalid_input",
    });
  });

  test.each(["", " \n\t", undefined, 7, {}])("%j is no text", async (text) => {
    await expect(
      memoryDesk()
        .open()
        .remember({ text: text as string, source: byUser }),
    ).rejects.toMatchObject({ code: "invalid_input" });
  });

  test.each([{ type: "god" }, { type: "user", more: 1 }, {}])("%j is no source", async (source) => {
    await expect(
      memoryDesk()
        .open()
        .remember({ text: "x", source: source as never }),
    ).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("of a long text is kept as several, in order, each found", async () => {
    const memory = memoryDesk().open({ limits: { memoryChars: 100 } });
    const lines = Array.from({ length: 30 }, (_, i) => `Line ${i} is about topic${i}.`);
    const items = await memory.rememberLong({ text: lines.join("\n"), source: byTool });
    expect(items.length).toBeGreaterThan(5);
    expect(items.map(({ text }) => text).join("\n")).toBe(lines.join("\n"));
    expect((await memory.retrieve({ text: "topic17" })).hits[0]?.item.text).toContain("topic17");
  });

  test("of tags is cut", async () => {
    const memory = memoryDesk().open();
    const tags = [...Array.from({ length: 50 }, (_, i) => `t${i}`), "x".repeat(500), " ", "t0"];
    const item = await memory.remember({ text: rain, tags, source: byUser });
    expect(item.tags).toEqual(tags.slice(0, 32));
  });

  test.each([{ batch: 0 }, { vectors: -1 }, { memoryChars: 1.5 }])("%j is no limit", (limits) => {
    expect(() => memoryDesk().open({ limits })).toThrow(/whole number from 1/);
  });
});

describe("S1: secrets", () => {
  const secret = "sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c";

  test("are in no row, no index entry and no answer", async () => {
    const desk = memoryDesk();
    const put: unknown[] = [];
    const search = { ...desk.search, put: async (entries: never) => void put.push(entries) };
    const given = {
      text: `The key is api_key=${secret} and stays.`,
      tags: [`token=${secret}`],
      source: { type: "tool", name: `https://x.example/?api_key=${secret}` } as const,
    };
    const item = await desk.open({ search }).remember(given);
    expect(item.text).toMatch(/^The key is api_key=\[redacted:[^\]]+\] and stays\.$/);
    const rows = await desk.store.documents({ kind: "memory", accountId: "one", limit: 10 });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify([item, rows, put])).not.toContain(secret.slice(8, 24));
  });

  test("are not given to an embedder, neither to keep nor to look for", async () => {
    const texts: unknown[] = [];
    const embed = {
      model: "m",
      embed: async (given: readonly string[]) => given.map((text) => (texts.push(text), Float32Array.of(1))),
    };
    const memory = memoryDesk().open({ embed });
    await memory.remember({ text: `password: ${secret}`, source: byUser });
    await memory.retrieve({ text: `password: ${secret}` });
    expect(texts).toHaveLength(2);
    expect(JSON.stringify(texts)).not.toContain(secret.slice(8, 24));
  });

  test("are not cut in two by splitting a text", async () => {
    const memory = memoryDesk().open({ limits: { memoryChars: 40 } });
    const items = await memory.rememberLong({
      text: `${"word ".repeat(5)}api_key=${secret} end`,
      source: byUser,
    });
    expect(JSON.stringify(items)).not.toContain(secret.slice(8, 16));
  });
});

describe("what is forgotten", () => {
  test("is gone from store, index and vectors, and can be remembered again", async () => {
    const embed = {
      model: "m",
      embed: async (texts: readonly string[]) => texts.map(() => Float32Array.of(1, 2)),
    };
    const { store, search, open } = memoryDesk();
    const memory = open({ embed });
    const { memoryId } = await memory.remember({ text: rain, source: byUser });
    expect(await idsFor(memory, "rain")).toEqual([memoryId]);
    expect(await memory.forget(memoryId)).toBe(true);
    for (const kind of ["memory", "memory_vector"])
      expect(await store.documents({ kind, accountId: "one", limit: 10 })).toEqual([]);
    expect(await search.query({ accountId: "one", text: "rain", limit: 10 })).toEqual([]);
    expect(await idsFor(memory, "rain")).toEqual([]);
    expect(await memory.get(memoryId)).toBeUndefined();
    expect(await memory.forget(memoryId)).toBe(false);
    expect((await memory.remember({ text: rain, source: byUser })).memoryId).toBe(memoryId);
    expect(await idsFor(memory, "rain")).toEqual([memoryId]);
  });

  test("is not shown by another who still has its vector", async () => {
    const embed = {
      model: "m",
      embed: async (texts: readonly string[]) => texts.map(() => Float32Array.of(1, 2)),
    };
    const { open } = memoryDesk();
    const [one, other] = [open({ embed }), open({ embed })];
    const { memoryId } = await one.remember({ text: rain, source: byUser });
    expect((await other.retrieve({ text: "unlike" })).hits[0]?.ranks).toEqual({ embedding: 1 });
    await one.forget(memoryId);
    expect((await other.retrieve({ text: "unlike" })).hits).toEqual([]);
  });

  test("of another account stays", async () => {
    const { open } = memoryDesk();
    const { memoryId } = await open().remember({ text: rain, source: byUser });
    expect(await open({ accountId: "two" }).forget(memoryId)).toBe(false);
    expect(await idsFor(open(), "rain")).toEqual([memoryId]);
  });

  test("although the index fails is gone from the store; saying it again clears the index", async () => {
    const { search, open } = memoryDesk();
    const { memoryId } = await open().remember({ text: rain, source: byUser });
    const failing = { ...search, remove: () => Promise.reject(new Error("disk")) };
    await expect(open({ search: failing }).forget(memoryId)).rejects.toThrow("disk");
    expect(await idsFor(open(), "rain")).toEqual([]);
    expect(await search.query({ accountId: "one", text: "rain", limit: 1 })).toHaveLength(1);
    expect(await open().forget(memoryId)).toBe(false);
    expect(await search.query({ accountId: "one", text: "rain", limit: 1 })).toEqual([]);
  });
});

describe("B22: a row that this installation did not write for this account", () => {
  async function desk() {
    const { store, search, open } = memoryDesk();
    const memory = open();
    const item = await memory.remember({ text: rain, tags: ["t"], source: byTool });
    const [row] = await store.documents({ kind: "memory", accountId: "one", limit: 1 });
    if (row === undefined) throw new Error("no row");
    const write = async (change: Partial<typeof row>) => {
      const next = { ...row, ...change };
      const standing = await store.document(next);
      const written = await store.commit({
        durability: "process",
        now: 0,
        documents: [{ ...next, type: "put", expects: standing?.revision ?? 0 }],
      });
      expect(written.type).toBe("committed");
      await search.put([{ accountId: next.accountId, id: next.id, text: "rain" }]);
    };
    return { store, search, open, memory, item, row, write };
  }

  const changes: readonly (readonly [string, (body: string) => string])[] = [
    ["made a user's", (body) => body.replace('"type":"tool"', '"type":"user"')],
    ["of another text", (body) => body.replace("rain", "snow")],
    ["of other tags", (body) => body.replace('["t"]', '["admin"]')],
    ["of another time", (body) => body.replace(/"createdAt":"\d{4}/, '"createdAt":"2001')],
    ["without a proof", (body) => body.replace(/"proof":"[^"]*"/, '"proof":""')],
    ["that is no JSON", () => "{"],
    ["with more in it", (body) => body.replace("{", '{"also":1,')],
  ];

  test.each(changes)("one %s is not shown, not read and not listed", async (_, change) => {
    const { memory, item, row, write } = await desk();
    const body = change(row.body);
    expect(body).not.toBe(row.body);
    await write({ body });
    expect(await idsFor(memory, "rain")).toEqual([]);
    expect(await memory.get(item.memoryId)).toBeUndefined();
    expect(await memory.list()).toEqual({ items: [] });
    expect(await memory.remember({ text: rain, tags: ["t"], source: byTool })).toMatchObject({ text: rain });
    expect(await idsFor(memory, "rain")).toEqual([item.memoryId]);
  });

  test("one moved to another account or another id, or of another status, is none", async () => {
    const { open, item, write } = await desk();
    await write({ accountId: "two" });
    expect(await idsFor(open({ accountId: "two" }), "rain")).toEqual([]);
    const id = "mem_00000000-0000-0000-0000-000000000000";
    await write({ id });
    expect(await idsFor(open(), "rain")).toEqual([item.memoryId]);
    await write({ status: "other" });
    expect(await idsFor(open(), "rain")).toEqual([]);
  });

  test("one of another installation is none, and can be forgotten", async () => {
    const { store, search, open } = memoryDesk();
    const stranger = open({ installation: openInstallation(Buffer.alloc(32, 9)) });
    const { memoryId } = await stranger.remember({ text: rain, source: byUser });
    expect(await idsFor(open(), "rain")).toEqual([]);
    expect(await open().forget(memoryId)).toBe(true);
    expect(await store.document({ kind: "memory", accountId: "one", id: memoryId })).toBeUndefined();
    expect(await search.query({ accountId: "one", text: "rain", limit: 1 })).toEqual([]);
  });

  test("many of them take no place from what is ours", async () => {
    const { store, search, open } = memoryDesk();
    const memory = open();
    const { memoryId } = await memory.remember({ text: `${rain} ${"and more ".repeat(20)}`, source: byUser });
    const ids = Array.from({ length: 400 }, (_, i) => `mem_forged-${i}`);
    await store.commit({
      durability: "process",
      now: 0,
      documents: ids.map((id) => ({
        type: "keep",
        kind: "memory",
        accountId: "one",
        id,
        status: "kept",
        body: "{}",
      })),
    });
    await search.put(ids.map((id) => ({ accountId: "one", id, text: "rain" })));
    expect(await idsFor(memory, "rain")).toEqual([memoryId]);
    expect((await memory.list({ limit: 3 })).items.map((item) => item.memoryId)).toEqual([memoryId]);
  });
});

describe("an index", () => {
  test("I1: that lies brings nothing of another account, nothing that is not there, nothing twice, not more than asked for", async () => {
    const { store, open } = memoryDesk();
    const [own, second] = await open().rememberAll(
      ["rain", "snow"].map((text) => ({ text, source: byUser })),
    );
    const other = await open({ accountId: "two" }).remember({ text: "secret", source: byUser });
    const ids = [other.memoryId, "mem_nowhere-at-all", own?.memoryId, own?.memoryId, 7, second?.memoryId];
    const lying = {
      ...createMemorySearchIndex(),
      query: async () => ids.map((id, i) => ({ id: id as string, score: i === 2 ? Number.NaN : 9 - i })),
    };
    const memory = memoryDesk({ store, search: lying }).open();
    const { hits } = await memory.retrieve({ text: "anything", limit: 5 });
    expect(hits.map(({ item, score }) => [item.memoryId, score])).toEqual([
      [own?.memoryId, 0],
      [second?.memoryId, 4],
    ]);
    expect((await memory.retrieve({ text: "anything", limit: 1 })).hits).toHaveLength(1);
  });

  test("that fails is told of, and fails no turn", async () => {
    const { store, search, open } = memoryDesk();
    await open().remember({ text: rain, source: byUser });
    const failing = {
      ...search,
      query: () => Promise.reject(new Error("token=ghp_abcdefghijklmnopqrstuvwxyz0123456789")),
    };
    const { hits, ways, troubles } = await memoryDesk({ store, search: failing })
      .open()
      .retrieve({ text: "rain" });
    expect({ hits, ways }).toEqual({ hits: [], ways: [] });
    expect(troubles).toEqual([
      { port: "search", reason: "failed", message: expect.stringMatching(/^token=\[redacted/) },
    ]);
  });

  test("that does not take a memory leaves nothing half done", async () => {
    const { store, search, open } = memoryDesk();
    const failing = { ...search, put: () => Promise.reject(new Error("disk")) };
    await expect(open({ search: failing }).remember({ text: rain, source: byUser })).rejects.toThrow("disk");
    expect(await store.documents({ kind: "memory", accountId: "one", limit: 1 })).toEqual([]);
  });

  test("whose file was lost is rebuilt from the store, for every account", async () => {
    const folder = dataFolder();
    const store = await openSqliteStore({ folder });
    const search = await openSqliteSearchIndex({ folder });
    const { open } = memoryDesk({ store, search });
    const one = await open().rememberAll(
      Array.from({ length: 150 }, (_, i) => ({ text: `rain number${i}`, tags: ["wet"], source: byUser })),
    );
    const other = await open({ accountId: "two" }).remember({ text: "rain elsewhere", source: byTool });
    const before = await open().retrieve({ text: "number7 wet" });
    await search.close();
    for (const file of ["search.db", "search.db-wal", "search.db-shm"])
      rmSync(join(folder, file), { force: true });
    const again = await openSqliteSearchIndex({ folder });
    expect(again.rebuildNeeded).toBe(true);
    const desk = memoryDesk({ store, search: again });
    expect(await idsFor(desk.open(), "number7")).toEqual([]);
    await rebuildMemories({ store, search: again, installation });
    expect(again.rebuildNeeded).toBe(false);
    expect(await desk.open().retrieve({ text: "number7 wet" })).toStrictEqual(before);
    expect(before.hits[0]?.item).toStrictEqual(one[7]);
    expect(await idsFor(desk.open({ accountId: "two" }), "rain")).toEqual([other.memoryId]);
    await again.close();
    await store.close();
  });

  test("that lost one account's entries gets them again, and the others keep theirs", async () => {
    const { store, open } = memoryDesk();
    await open().rememberAll(Array.from({ length: 150 }, (_, i) => ({ text: `rain n${i}`, source: byUser })));
    const search = createMemorySearchIndex();
    await search.put([{ accountId: "two", id: "theirs", text: "rain" }]);
    const memory = memoryDesk({ store, search }).open();
    await memory.rebuild();
    expect((await search.query({ accountId: "one", text: "rain", limit: 1000 })).length).toBe(150);
    expect(await search.query({ accountId: "two", text: "rain", limit: 10 })).toHaveLength(1);
    expect((await memory.retrieve({ text: "n77" })).hits).toHaveLength(1);
  });
});

describe("two at once", () => {
  test("that remember the same come to one memory with the tags of both", async () => {
    const { open } = memoryDesk();
    const memories = [open(), open(), open(), open()];
    const items = await Promise.all(
      memories.map((memory, i) => memory.remember({ text: rain, tags: [`t${i}`], source: byUser })),
    );
    const [first] = items;
    const kept = await open().get(first?.memoryId ?? "");
    expect(kept?.tags.toSorted()).toEqual(["t0", "t1", "t2", "t3"]);
    expect((await open().list()).items).toStrictEqual([kept]);
    expect(await idsFor(open(), "t0")).toEqual([first?.memoryId]);
    expect(await idsFor(open(), "t3")).toEqual([first?.memoryId]);
  });

  test("of which one forgets: it is kept and found, or gone and not found", async () => {
    for (let round = 0; round < 20; round++) {
      const { store, search, open } = memoryDesk();
      const { memoryId } = await open().remember({ text: rain, source: byUser });
      const slowly = slowStore(store, round);
      await Promise.all([
        memoryDesk({ store: slowly, search })
          .open()
          .remember({ text: rain, tags: ["again"], source: byUser }),
        open().forget(memoryId),
      ]);
      const isKept = (await open().get(memoryId)) !== undefined;
      expect(await idsFor(open(), "rain")).toEqual(isKept ? [memoryId] : []);
    }
  });
});

/** Waits so many turns of the loop before every commit. */
function slowStore(store: Store, turns: number): Store {
  const commit: Store["commit"] = async (unit) => {
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    return await store.commit(unit);
  };
  return new Proxy(store, {
    get: (of, name) => {
      const value: unknown = name === "commit" ? commit : Reflect.get(of, name);
      return typeof value === "function" ? value.bind(of) : value;
    },
  });
}

test("memories on a store that lasts are there when it is opened again", async () => {
  const folder = dataFolder();
  const first = await openSqliteStore({ folder });
  const item = await memoryDesk({ store: first }).open().remember({ text: "Zürich 東京 😀", source: byUser });
  await first.close();
  const store = await openSqliteStore({ folder });
  expect(await memoryDesk({ store }).open().get(item.memoryId)).toStrictEqual(item);
  await store.close();
});

test.each([["user"], [undefined], [{}]])(
  "a memory without a source that says who said it is refused: %j",
  async (source) => {
    const memory = memoryDesk().open();
    await expect(memory.remember({ text: rain, source: source as never })).rejects.toThrow(
      "a memory says who said it: source: { type }, where type is one of ",
    );
  },
);
