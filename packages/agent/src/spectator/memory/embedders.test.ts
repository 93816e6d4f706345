import { describe, expect, test } from "vitest";
import { byUser, handClock, installation, memoryDesk } from "../../../test-data/memory-desk.ts";
import type { Embedder } from "./ask-embedder.ts";

/** Words that mean the same have the same vector. */
const topics = [["rain", "shower", "drizzle"], ["tea", "coffee"], ["garden"]];
const meaning = (text: string) =>
  Float32Array.from(topics, (words) => (words.some((word) => text.includes(word)) ? 3 : 0.001));
const sound: Embedder = { model: "topics", embed: async (texts) => texts.map(meaning) };

const texts = ["rain over Lisbon", "coffee in the morning", "a garden with roses"];

/** A desk with three memories that were kept with an embedder. */
async function desk(embed: Embedder = sound) {
  const parts = memoryDesk();
  const items = await parts.open({ embed }).rememberAll(texts.map((text) => ({ text, source: byUser })));
  return { ...parts, items, ids: items.map(({ memoryId }) => memoryId) };
}

const vectorRows = async ({ store }: Pick<Awaited<ReturnType<typeof desk>>, "store">) =>
  await store.documents({ kind: "memory_vector", accountId: "one", limit: 100 });

describe("with an embedder", () => {
  test("a memory is found by what it means, and says at which place of which ranking", async () => {
    const { open, ids } = await desk();
    const { hits, ways, troubles } = await open({ embed: sound }).retrieve({ text: "a drizzle" });
    expect({ ways, troubles }).toEqual({ ways: ["bm25", "embedding"], troubles: [] });
    const [first, second] = hits;
    // The one has the word "a" at place 1 and a vector at place 3 or so; the other is nearest by far.
    expect(hits.map(({ item }) => item.memoryId).toSorted()).toEqual(ids.toSorted());
    const rain = hits.find(({ item }) => item.memoryId === ids[0]);
    expect(rain).toMatchObject({ ranks: { embedding: 1 }, matched: [], score: 1 / 61 });
    expect(rain?.scores.embedding).toBeCloseTo(1, 5);
    const garden = hits.find(({ item }) => item.memoryId === ids[2]);
    expect(garden).toMatchObject({ ranks: { bm25: 1, embedding: expect.any(Number) }, matched: ["a"] });
    expect(garden?.score).toBeCloseTo(1 / 61 + 1 / (60 + (garden?.ranks.embedding ?? 0)), 12);
    expect(first?.score).toBeGreaterThanOrEqual(second?.score ?? 0);
  });

  test("vectors are kept with their model and dimension, of length 1, and read again", async () => {
    const parts = await desk();
    const rows = await vectorRows(parts);
    expect(rows.map(({ body }) => JSON.parse(body).value)).toEqual(
      parts.ids
        .toSorted()
        .map((memoryId) => expect.objectContaining({ memoryId, model: "topics", dimension: 3 })),
    );
    const { hits } = await parts.open({ embed: sound }).retrieve({ text: "shower", limit: 1 });
    expect(hits[0]?.item.memoryId).toBe(parts.ids[0]);
  });

  test("what was kept by one that is open is found by it", async () => {
    const memory = memoryDesk().open({ embed: sound });
    await memory.retrieve({ text: "nothing yet" });
    const { memoryId } = await memory.remember({ text: "rain", source: byUser });
    expect((await memory.retrieve({ text: "drizzle" })).hits[0]?.item.memoryId).toBe(memoryId);
  });

  test("vectors of another model are not compared, and are made anew when it is asked for", async () => {
    const parts = await desk();
    const other: Embedder = { ...sound, model: "other" };
    const memory = parts.open({ embed: other });
    expect((await memory.retrieve({ text: "drizzle" })).hits).toEqual([]);
    expect(await memory.embedMissing()).toEqual({ embedded: 3 });
    expect((await memory.retrieve({ text: "drizzle" })).hits[0]?.item.memoryId).toBe(parts.ids[0]);
    expect(await memory.embedMissing()).toEqual({ embedded: 0 });
    expect((await parts.open({ embed: sound }).retrieve({ text: "drizzle" })).hits).toEqual([]);
    expect(await vectorRows(parts)).toHaveLength(3);
  });

  test("vectors of another dimension are not compared", async () => {
    const { open } = await desk();
    const longer: Embedder = {
      model: "topics",
      embed: async (given) => given.map((text) => Float32Array.of(...meaning(text), 1)),
    };
    const { hits, troubles } = await open({ embed: longer }).retrieve({ text: "drizzle" });
    expect({ hits, troubles }).toEqual({ hits: [], troubles: [] });
  });

  test("memories that were kept without vectors get them", async () => {
    const parts = memoryDesk();
    const given = Array.from({ length: 150 }, (_, i) => ({ text: `${i} of rain`, source: byUser }));
    await parts.open().rememberAll(given);
    const memory = parts.open({ embed: sound });
    await memory.retrieve({ text: "rain" });
    expect(await memory.embedMissing()).toEqual({ embedded: 150 });
    expect((await memory.retrieve({ text: "drizzle", limit: 100 })).hits).toHaveLength(100);
    expect(await parts.open().embedMissing()).toEqual({ embedded: 0 });
  });

  test("no vector is made of what was forgotten meanwhile", async () => {
    const parts = memoryDesk();
    const { memoryId } = await parts.open().remember({ text: "rain", source: byUser });
    const forgetting: Embedder = {
      model: "m",
      embed: async (given) => {
        await parts.open().forget(memoryId);
        return given.map(meaning);
      },
    };
    expect(await parts.open({ embed: forgetting }).embedMissing()).toEqual({ embedded: 0 });
    expect(await vectorRows(parts)).toEqual([]);
  });

  test("beyond the number that is searched, memories are found by their words, and that is told", async () => {
    const parts = await desk();
    const memory = parts.open({ embed: sound, limits: { vectors: 2 } });
    const { hits, troubles } = await memory.retrieve({ text: "rain coffee garden" });
    expect(hits).toHaveLength(3);
    expect(hits.filter(({ ranks }) => ranks.embedding !== undefined)).toHaveLength(2);
    expect(troubles).toEqual([
      { port: "embed", reason: "too_many", message: expect.stringContaining("than the 2 that are searched") },
    ]);
  });

  test("also where there was room for all of them at first", async () => {
    const memory = memoryDesk().open({ embed: sound, limits: { vectors: 1 } });
    expect((await memory.retrieve({ text: "drizzle" })).troubles).toEqual([]);
    await memory.rememberAll(["rain", "more rain"].map((text) => ({ text, source: byUser })));
    expect((await memory.retrieve({ text: "drizzle" })).troubles).toMatchObject([{ reason: "too_many" }]);
  });

  test("a rebuild reads what others have kept since", async () => {
    const { open } = memoryDesk();
    const memory = open({ embed: sound });
    await memory.retrieve({ text: "drizzle" });
    await open({ embed: sound }).remember({ text: "rain", source: byUser });
    expect((await memory.retrieve({ text: "drizzle" })).hits).toEqual([]);
    await memory.rebuild();
    expect((await memory.retrieve({ text: "drizzle" })).hits).toHaveLength(1);
  });

  test.each([
    ["with another vector", (body: string) => body.replace(/"vector":"...../, '"vector":"AAAAA')],
    ["for another model", (body: string) => body.replace('"topics"', '"topicz"')],
    ["that is no JSON", () => "?"],
  ])("B22: a row %s that somebody else wrote is not compared", async (_, change) => {
    const parts = await desk();
    const id = parts.ids[0] ?? "";
    const row = await parts.store.document({ kind: "memory_vector", accountId: "one", id });
    if (row === undefined) throw new Error("no row");
    expect(change(row.body)).not.toBe(row.body);
    await parts.store.commit({
      durability: "process",
      now: 0,
      documents: [{ ...row, type: "put", expects: row.revision, body: change(row.body) }],
    });
    const { hits } = await parts.open({ embed: sound }).retrieve({ text: "drizzle" });
    expect(hits.some(({ item }) => item.memoryId === id)).toBe(false);
    expect(await parts.open({ embed: sound }).embedMissing()).toEqual({ embedded: 1 });
  });

  test("I1: another account's vectors are not compared", async () => {
    const { open } = await desk();
    expect((await open({ embed: sound, accountId: "two" }).retrieve({ text: "drizzle" })).hits).toEqual([]);
  });
});

const answers: readonly (readonly [how: string, reason: string, embed: Embedder["embed"]])[] = [
  [
    "throws",
    "failed",
    () => {
      throw new Error("no");
    },
  ],
  [
    "throws nothing",
    "failed",
    () => {
      throw undefined;
    },
  ],
  ["rejects", "failed", () => Promise.reject(new Error("no"))],
  [
    "rejects with what cannot be read",
    "failed",
    () =>
      Promise.reject(
        Object.defineProperty(new Error("x"), "message", {
          get: () => {
            throw new Error("y");
          },
        }),
      ),
  ],
  ["answers nothing", "malformed", async () => undefined as never],
  ["answers no list", "malformed", async () => ({ length: 1, 0: Float32Array.of(1) }) as never],
  ["answers too few", "malformed", async () => []],
  ["answers too many", "malformed", async (given) => [...given, ""].map(() => Float32Array.of(1))],
  ["answers ever so many", "malformed", async () => Object.assign([], { length: 2 ** 32 - 1 })],
  ["answers plain numbers", "malformed", async (given) => given.map(() => [1, 2]) as never],
  ["answers empty vectors", "malformed", async (given) => given.map(() => new Float32Array(0))],
  ["answers vectors of zeros", "malformed", async (given) => given.map(() => new Float32Array(3))],
  ["answers NaN", "malformed", async (given) => given.map(() => Float32Array.of(1, Number.NaN))],
  [
    "answers infinity",
    "malformed",
    async (given) => given.map(() => Float32Array.of(Number.POSITIVE_INFINITY)),
  ],
  ["answers huge vectors", "malformed", async (given) => given.map(() => new Float32Array(5000).fill(1))],
  [
    "answers vectors of several lengths",
    "malformed",
    async () => [Float32Array.of(1), Float32Array.of(1, 2), Float32Array.of(1)],
  ],
  [
    "answers a list that throws",
    "failed",
    async (given) =>
      new Proxy(
        given.map(() => Float32Array.of(1)),
        {
          get: (of, name) => {
            if (name === "0") throw new Error("no");
            return Reflect.get(of, name) as unknown;
          },
        },
      ),
  ],
];

describe("an embedder fails no turn: one that", () => {
  test.each(answers)("%s", async (_, reason, embed) => {
    const parts = memoryDesk();
    const hostile = { model: "hostile", embed };
    const given = texts.map((text) => ({ text, source: byUser }));
    const items = await parts.open({ embed: hostile }).rememberAll(given);
    expect(items.map(({ text }) => text)).toEqual(texts);
    expect(await vectorRows(parts)).toEqual([]);
    const report = await parts.open({ embed: hostile }).embedMissing();
    expect(report).toEqual({ embedded: 0, trouble: { port: "embed", reason, message: expect.any(String) } });
    const found = await parts.open({ embed: hostile }).retrieve({ text: "rain" });
    expect(found.hits.map(({ item }) => item.text)).toEqual(["rain over Lisbon"]);
    expect(found.ways).toEqual(["bm25"]);
    expect(found.troubles).toEqual([{ port: "embed", reason, message: expect.any(String) }]);
  });

  test("hangs is waited for no longer than said, is told to stop, and is not asked again for a while", async () => {
    const { clock, pass, waiting } = handClock();
    const parts = await desk();
    let [asked, stopped] = [0, 0];
    const hanging: Embedder = {
      model: "topics",
      embed: (_, signal) => {
        asked += 1;
        signal.addEventListener("abort", () => (stopped += 1));
        return new Promise(() => undefined);
      },
    };
    const memory = parts.open({ embed: hanging, clock, limits: { embedMs: 500, embedRestMs: 10_000 } });
    const answering = memory.retrieve({ text: "rain" });
    await Promise.resolve();
    pass(499);
    expect(stopped).toBe(0);
    pass(1);
    const late = { port: "embed", reason: "late", message: "it has not answered within 500 ms" };
    expect(await answering).toMatchObject({
      hits: [{ item: { text: texts[0] } }],
      ways: ["bm25"],
      troubles: [late],
    });
    expect([asked, stopped, waiting()]).toEqual([1, 1, 0]);
    const resting = await memory.retrieve({ text: "rain" });
    expect(resting).toMatchObject({
      hits: [{ item: { text: texts[0] } }],
      troubles: [{ reason: "resting" }],
    });
    await memory.remember({ text: "kept all the same", source: byUser });
    expect(asked).toBe(1);
    pass(10_000);
    const again = memory.retrieve({ text: "rain" });
    await Promise.resolve();
    pass(500);
    await again;
    expect(asked).toBe(2);
  });

  test("is called off by whoever asked is asked again", async () => {
    const parts = await desk();
    const ways: string[] = [];
    const embed: Embedder["embed"] = (given, signal) => {
      ways.push(signal.aborted ? "aborted" : "asked");
      return ways.length === 1 ? new Promise(() => undefined) : sound.embed(given, signal);
    };
    const memory = parts.open({ embed: { model: "topics", embed } });
    const abort = new AbortController();
    const answering = memory.retrieve({ text: "rain", signal: abort.signal });
    await Promise.resolve();
    abort.abort();
    expect(await answering).toMatchObject({ ways: ["bm25"], troubles: [{ reason: "failed" }] });
    expect(await memory.retrieve({ text: "rain" })).toMatchObject({
      ways: ["bm25", "embedding"],
      troubles: [],
    });
  });

  test("changes its vectors afterwards changes nothing", async () => {
    const given: Float32Array[] = [];
    const parts = memoryDesk();
    const keeping: Embedder = {
      model: "topics",
      embed: async (asked) => {
        const made = asked.map(meaning);
        given.push(...made);
        return made;
      },
    };
    const memory = parts.open({ embed: keeping });
    await memory.retrieve({ text: "first" });
    await memory.remember({ text: "rain", source: byUser });
    for (const vector of given) vector.fill(Number.NaN);
    const { hits } = await memory.retrieve({ text: "drizzle" });
    expect(hits[0]?.scores.embedding).toBeCloseTo(1, 5);
  });

  test("says a secret in its fault does not spread it", async () => {
    const embed = {
      model: "m",
      embed: () => Promise.reject(new Error("401 for api_key=sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c")),
    };
    const { troubles } = await memoryDesk().open({ embed }).retrieve({ text: "rain" });
    expect(troubles[0]?.message).toMatch(/^401 for api_key=\[redacted/);
  });
});

test("an index that fails leaves what is found by meaning", async () => {
  const parts = await desk();
  const failing = { ...parts.search, query: () => Promise.reject(new Error("disk")) };
  const found = await parts
    .open({ embed: sound, search: failing, installation })
    .retrieve({ text: "drizzle", limit: 1 });
  expect(found).toMatchObject({
    hits: [{ item: { text: texts[0] }, ranks: { embedding: 1 } }],
    ways: ["embedding"],
    troubles: [{ port: "search" }],
  });
});
