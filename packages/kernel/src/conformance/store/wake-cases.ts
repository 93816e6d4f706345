import assert from "node:assert/strict";
import type { Store } from "../../store/store.ts";
import {
  account,
  append,
  commits,
  given,
  headConflict,
  noDigest,
  type StoreCase,
  seal,
  unit,
  writerOf,
} from "./store-case.ts";

const letter = (id: string, expects = 0) =>
  ({ kind: "inbox", accountId: account, id, type: "put", expects, status: "new", body: id }) as const;

/** What a store tells, from now on. */
function listenTo(store: Store) {
  const heard: (string | undefined)[] = [];
  const waiting = new Set<() => void>();
  const stop = store.listen((key) => {
    heard.push(key);
    for (const look of waiting) look();
  });
  /** Once it was told this, or that something may have been missed; of what was told before, nothing counts. */
  const hears = (key: string, from = 0) => {
    const told = Promise.withResolvers<void>();
    const look = () => {
      if (heard.slice(from).some((one) => one === undefined || one === key)) told.resolve();
    };
    waiting.add(look);
    look();
    const late = setTimeout(() => told.reject(new Error(`nobody told of ${key}`)), 10_000);
    return told.promise.finally(() => {
      clearTimeout(late);
      waiting.delete(look);
    });
  };
  /** Told of all of these, and of nothing else. */
  const hearsOnly = async (...keys: readonly string[]) => {
    await Promise.all(keys.map((key) => hears(key)));
    assert.deepStrictEqual(
      heard.filter((key) => key !== undefined && !keys.includes(key)),
      [],
    );
  };
  return { heard, hears, hearsOnly, stop };
}

/** Whoever listens is told of what was committed, never of what was not. */
export const wakeCases: readonly StoreCase[] = [
  {
    name: "whoever listens is told the wakes of a committed unit, whatever else is in it",
    run: async ({ store }) => {
      const { hearsOnly, stop } = listenTo(store);
      const writer = await writerOf(store);
      await commits(
        store,
        unit({ documents: [letter("a")], wakes: ["one", "two"] }),
        { ...append(writer, seal(writer.head, "first")), wakes: ["three"] },
        unit({ wakes: ["four"] }),
      );
      await hearsOnly("one", "two", "three", "four");
      stop();
    },
  },
  {
    name: "a wake is told once what was written with it can be read",
    run: async ({ store }) => {
      const read = Promise.withResolvers<string | undefined>();
      const stop = store.listen(() => {
        store.document(letter("a")).then((found) => read.resolve(found?.body), read.reject);
      });
      await commits(store, unit({ documents: [letter("a")], wakes: ["a"] }));
      assert.equal(await read.promise, "a");
      stop();
    },
  },
  {
    name: "a unit in conflict wakes nobody, alone and beside others",
    run: async ({ store }) => {
      const { hearsOnly, stop } = listenTo(store);
      const writer = await writerOf(store);
      const forged = { ...seal(writer.head, "x"), prev: noDigest };
      const broken = [
        { ...append(writer, forged), wakes: ["broken"] },
        unit({ documents: [letter("a"), letter("b", 7)], wakes: ["broken"] }),
      ] as const;
      assert.deepStrictEqual(await store.commit(broken[0]), headConflict("run-1", writer.head));
      const units = [
        unit({ documents: [letter("c")], wakes: ["good"] }),
        ...broken,
        unit({ wakes: ["last"] }),
      ];
      const results = await Promise.all(units.map((one) => store.commit(one)));
      assert.deepStrictEqual(
        results.map(({ type }) => type),
        ["committed", "conflict", "conflict", "committed"],
      );
      await hearsOnly("good", "last");
      stop();
    },
  },
  {
    name: "a unit sent again wakes again: whoever lost its answer cannot know whether anybody was told",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const whole = { ...append(writer, seal(writer.head, "first")), wakes: ["again"] };
      await commits(store, whole);
      const { hears, stop } = listenTo(store);
      await commits(store, whole);
      await hears("again");
      stop();
    },
  },
  {
    name: "every listener is told, one that throws harms nobody, and one that stopped is told no more",
    run: async ({ store }) => {
      const first = listenTo(store);
      const stopThrowing = store.listen(() => {
        throw new Error("a listener failed");
      });
      const second = listenTo(store);
      const third = listenTo(store);
      third.stop();
      third.stop();
      await commits(store, unit({ wakes: ["a"] }));
      await Promise.all([first.hears("a"), second.hears("a")]);
      stopThrowing();
      second.stop();
      await commits(store, unit({ wakes: ["b"] }));
      await first.hearsOnly("a", "b");
      await second.hearsOnly("a");
      await third.hearsOnly();
      first.stop();
    },
  },
  {
    name: "a wake is told as it was named, whatever is in the name",
    run: async ({ store }) => {
      const names = [
        "",
        "\u0000",
        "a\u0000b",
        "\uD834",
        "é\u{1D11E}",
        "'; DROP TABLE records; --",
        "[]",
        "null",
      ];
      const { hearsOnly, stop } = listenTo(store);
      await commits(store, unit({ wakes: [...names, "last"] }));
      await hearsOnly(...names, "last");
      stop();
    },
  },
  {
    name: "a store beside this one is told of what is committed here, and this one of what is committed there",
    needs: "beside",
    run: async ({ store, beside }) => {
      const other = await given(beside, "beside")();
      const here = listenTo(store);
      const there = listenTo(other);
      await commits(store, unit({ documents: [letter("a")], wakes: ["a"] }));
      await there.hears("a");
      assert.equal((await other.document(letter("a")))?.body, "a");
      const before = here.heard.length;
      await commits(other, unit({ documents: [letter("b")], wakes: ["b"] }));
      await here.hears("b", before);
      assert.equal((await store.document(letter("b")))?.body, "b");
      here.stop();
      there.stop();
    },
  },
  {
    name: "a store beside this one is told of a unit with nothing but wakes, and of names too many or too long to send",
    needs: "beside",
    run: async ({ store, beside }) => {
      const other = await given(beside, "beside")();
      const { heard, hears, stop } = listenTo(store);
      await commits(other, unit({ wakes: ["only"] }));
      await hears("only");
      const before = heard.length;
      await commits(other, unit({ wakes: ["long".repeat(5_000)] }));
      await hears("long".repeat(5_000), before);
      const after = heard.length;
      const many = Array.from({ length: 2_000 }, (_, at) => `wake ${at}`);
      await commits(other, unit({ wakes: many }));
      await hears("wake 1999", after);
      stop();
    },
  },
  {
    name: "a listener of a store that was closed is told nothing more",
    run: async ({ store }) => {
      const { heard, hears } = listenTo(store);
      await commits(store, unit({ wakes: ["a"] }));
      await hears("a");
      const before = [...heard];
      await store.close();
      store.listen(() => assert.fail("told by a closed store"))();
      await new Promise(setImmediate);
      assert.deepStrictEqual(heard, before);
    },
  },
];
