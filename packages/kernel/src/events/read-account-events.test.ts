// J3: nothing is lost and nothing comes twice, whatever the pages, the writers, the segments and the crashes.
import { type AgentEvent, journalRecordSchema, parseJsonStrict } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedDeck } from "../../test-data/call-deck.ts";
import { type Desk, openDesk, principalOf, reopenDesk } from "../../test-data/call-desk.ts";
import { fates, meet, openBook } from "../../test-data/call-journal.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import { gate, until } from "../../test-data/call-waiting.ts";
import { projectEvents } from "../call/project-events.ts";
import type { Opening } from "../journal/fold-calls.ts";
import { segmentsOf } from "../journal/verify-account.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { Store } from "../store/store.ts";
import { endOfEvents } from "./end-of-events.ts";
import { startOfEvents } from "./event-cursor.ts";
import type { PlacedEvent } from "./page-reading.ts";
import { readAccountEvents } from "./read-account-events.ts";

const write = (n: number) => ({ tool: "notes.write", input: { n } });

describe("what is read", () => {
  test("is what whoever watched the calls saw, for calls with every end", async () => {
    const book = openBook();
    for (const [n, fate] of fates.entries()) {
      await meet(book, fate, n);
    }
    const { read } = await readOn(book.store.inner);
    expect(byName(eventsIn(read))).toStrictEqual(byName(book.events));
    expect(eventsIn(read)).toStrictEqual([...(await keptEvents(book.store.inner)).values()].flat());
  });

  test("is nothing where nothing was ever written, and everything that is written later", async () => {
    const desk = openDesk();
    expect(await readAccountEvents(desk.store, "acct_1", startOfEvents, { limit: 9 })).toStrictEqual({
      events: [],
      cursor: startOfEvents,
      isCaughtUp: true,
      seen: [{ type: "document", kind: "journal", accountId: "acct_1", id: "journal", revision: 0 }],
    });
    expect(await endOfEvents(desk.store, "acct_1")).toBe(startOfEvents);
    await desk.call(write(1));
    const { read } = await readOn(desk.store, startOfEvents);
    expect(eventsIn(read)).toStrictEqual(desk.events);
  });

  test("is each event once, for pages of any size and from every cursor on", async () => {
    const desk = openDesk({ limits: { segmentRecords: 4 } });
    for (let n = 0; n < 5; n++) {
      await desk.call(n % 2 === 0 ? write(n) : { tool: "notes.read", input: { n } });
    }
    const whole = desk.events;
    for (const limit of [1, 2, 3, 7, 100]) {
      const { read } = await readOn(desk.store, startOfEvents, { limit });
      expect(eventsIn(read)).toStrictEqual(whole);
      for (const [at, { cursor }] of read.entries()) {
        const rest = await readOn(desk.store, cursor, { limit });
        expect(eventsIn(rest.read)).toStrictEqual(whole.slice(at + 1));
      }
    }
  });

  test("is one run's alone where one is named, and the cursor passes over the rest", async () => {
    const desk = openDesk({ limits: { segmentRecords: 6 } });
    for (let n = 0; n < 6; n++) {
      await desk.call(write(n));
    }
    const { read: all, cursor: end } = await readOn(desk.store);
    for (const [runId, events] of Map.groupBy(desk.events, (event) => event.runId)) {
      const { read, cursor } = await readOn(desk.store, startOfEvents, { runId, limit: 2 });
      expect(eventsIn(read)).toStrictEqual(events);
      expect(cursor).toBe(end);
    }
    // From the middle of another run's record, too.
    const runId = desk.events.at(-1)?.runId as string;
    for (const { cursor } of all.slice(0, 6)) {
      const { read } = await readOn(desk.store, cursor, { runId });
      expect(eventsIn(read)).toStrictEqual(desk.events.filter((event) => event.runId === runId));
    }
  });

  test("is one key's alone where one is named, whatever its calls come to, from every cursor on", async () => {
    const store = new FaultyStore();
    const mine = openBook({ store, limits: { segmentRecords: 20 } });
    const other = openBook({ store, life: 2, principal: principalOf("acct_1", { keyId: "key_2" }) });
    for (const [n, fate] of fates.entries()) {
      for (const book of [mine, other]) await meet(book, fate, n);
    }
    for (const [keyId, { events }] of [["key_1", mine] as const, ["key_2", other] as const]) {
      const { read } = await readOn(store.inner, startOfEvents, { keyId, limit: 7 });
      expect(byName(eventsIn(read))).toStrictEqual(byName(events));
      for (const [at, { cursor }] of read.entries()) {
        const rest = await readOn(store.inner, cursor, { keyId });
        expect(eventsIn(rest.read).map(nameOf)).toStrictEqual(
          eventsIn(read)
            .slice(at + 1)
            .map(nameOf),
        );
      }
    }
    expect((await readOn(store.inner, startOfEvents, { keyId: "key_3" })).read).toStrictEqual([]);
  });

  test("never is of another account (I1)", async () => {
    const store = new FaultyStore();
    const mine = openDesk({ store });
    const theirs = openDesk({ store, life: 2, principal: principalOf("acct_2") });
    await theirs.call(write(1));
    await mine.call(write(2));
    expect(eventsIn((await readOn(store)).read)).toStrictEqual(mine.events);
    expect(eventsIn((await readOn(store, startOfEvents, { accountId: "acct_2" })).read)).toStrictEqual(
      theirs.events,
    );
  });
});

describe("a cursor", () => {
  test("forgets what is sealed and read whole, and names no more than what can grow", async () => {
    const slow = gate();
    const desk = openDesk({
      limits: { segmentRecords: 3 },
      deed: (input) => ((input as { n: number }).n === 4 ? slow.promise : "done"),
    });
    const calls: Promise<unknown>[] = [];
    for (let n = 0; n < 20; n++) {
      const call = desk.call(write(n));
      calls.push(call);
      if (n !== 4) await call;
    }
    expect(desk.seat.segments.length).toBeGreaterThan(10);
    const { read, cursor } = await readOn(desk.store, startOfEvents, { limit: 1 });
    expect(Math.max(...read.map((one) => named(one.cursor).length))).toBe(2);
    expect(named(cursor)).toHaveLength(2);
    slow.resolve();
    await Promise.all(calls);
    const rest = await readOn(desk.store, cursor);
    expect(eventsIn(rest.read).map(({ type }) => type)).toStrictEqual(["tool.completed", "run.completed"]);
    await desk.seat.close();
    expect(named((await readOn(desk.store, rest.cursor)).cursor)).toStrictEqual([desk.seat.segments.at(-1)]);
  });

  test("of now has nothing before it and everything after it", async () => {
    const slow = gate();
    const desk = openDesk({
      limits: { segmentRecords: 4 },
      deed: (input) => ((input as { n: number }).n === 0 ? slow.promise : "done"),
    });
    const first = desk.call(write(0));
    for (let n = 1; n < 9; n++) {
      await desk.call(write(n));
      const now = await endOfEvents(desk.store, "acct_1");
      expect((await readOn(desk.store, now)).read).toStrictEqual([]);
    }
    const now = await endOfEvents(desk.store, "acct_1");
    const before = desk.events.length;
    slow.resolve();
    await first;
    await desk.call(write(9));
    await desk.call(write(10));
    const { read } = await readOn(desk.store, now);
    expect(byName(eventsIn(read))).toStrictEqual(byName(desk.events.slice(before)));
  });

  test("of now counts a segment that begins while it is asked for", async () => {
    const desk = openDesk({ limits: { segmentRecords: 3 } });
    await desk.call(write(0));
    let isFirst = true;
    desk.store.beforeDocument = async ({ kind }) => {
      if (kind !== "segment" || !isFirst) return;
      isFirst = false;
      desk.store.beforeDocument = () => {};
      for (let n = 1; n < 6; n++) {
        await desk.call(write(n));
      }
    };
    const now = await endOfEvents(desk.store, "acct_1");
    desk.store.beforeDocument = () => {};
    const before = desk.events.length;
    await desk.call(write(6));
    const later = byName(desk.events.slice(before)).map(nameOf);
    const read = eventsIn((await readOn(desk.store, now)).read).map(nameOf);
    expect(new Set(read).size).toBe(read.length);
    expect(later.filter((name) => !read.includes(name))).toStrictEqual([]);
  });
});

/** What happens, in turn. */
type Act =
  | { readonly type: "calls"; readonly writers: readonly number[] }
  | { readonly type: "begin" | "restart"; readonly writer: number }
  | { readonly type: "finish" }
  | { readonly type: "read"; readonly limit: number }
  | { readonly type: "read beside"; readonly limit: number; readonly writers: readonly number[] };

const writer = fc.integer({ min: 0, max: 1 });
const writers = fc.array(writer, { minLength: 1, maxLength: 4 });
const limit = fc.integer({ min: 1, max: 9 });
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ type: fc.constant("calls" as const), writers }),
  fc.record({ type: fc.constantFrom("begin" as const, "restart" as const), writer }),
  fc.record({ type: fc.constant("finish" as const) }),
  fc.record({ type: fc.constant("read" as const), limit }),
  fc.record({ type: fc.constant("read beside" as const), limit, writers }),
);

test("any two writers, rolling segments, crashes, page sizes and resumptions give every event once, in the order of its segment", async () => {
  let resumed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 3, maxLength: 12 }),
      fc.integer({ min: 2, max: 6 }),
      async (acts, segmentRecords) => {
        const scene = new Scene(segmentRecords);
        for (const one of acts) {
          await scene.play(one);
        }
        await scene.finish();
        await scene.read(5, true);
        const kept = await keptEvents(scene.store);
        const read = eventsIn(scene.seen);
        expect(byName(read)).toStrictEqual(byName([...kept.values()].flat()));
        expect(bySegment(kept, read)).toStrictEqual(bySegment(kept, [...kept.values()].flat()));
        const names = read.map(nameOf);
        for (const [at, { cursor }] of scene.seen.entries()) {
          const rest = await readOn(scene.store, cursor, { limit: at % 5 === 0 ? 3 : 100 });
          expect(eventsIn(rest.read).map(nameOf).toSorted()).toStrictEqual(names.slice(at + 1).toSorted());
          resumed += 1;
        }
      },
    ),
    { numRuns: 15 },
  );
  expect(resumed).toBeGreaterThan(100);
});

/** Two seats, each a process of its own on the same data, and one who reads beside them. */
class Scene {
  readonly store: Store = createMemoryStore();
  readonly seen: PlacedEvent[] = [];
  readonly #segmentRecords: number;
  readonly #desks: Desk[];
  #waiting: { resolve: () => void; call: Promise<unknown>; desk: Desk }[] = [];
  #cursor: string = startOfEvents;
  #lives = 0;
  #n = 0;
  #gates = new Map<number, Promise<void>>();

  constructor(segmentRecords: number) {
    this.#segmentRecords = segmentRecords;
    this.#desks = [this.#open(), this.#open()];
  }

  async play(one: Act): Promise<void> {
    switch (one.type) {
      case "calls":
        return await this.#calls(one.writers);
      case "begin":
        return await this.#begin(this.#desk(one.writer));
      case "restart":
        return await this.#restart(one.writer);
      case "finish":
        return await this.finish();
      case "read":
        return await this.read(one.limit, false);
      case "read beside":
        return void (await Promise.all([this.#calls(one.writers), this.read(one.limit, true)]));
      default:
        throw new Error("nobody does that");
    }
  }

  /** Lets every call end that has begun. */
  async finish(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve } of waiting) resolve();
    await Promise.all(waiting.map(({ call }) => call));
  }

  async read(pageLimit: number, isWhole: boolean): Promise<void> {
    for (;;) {
      const page = await readAccountEvents(this.store, "acct_1", this.#cursor, { limit: pageLimit });
      this.seen.push(...page.events);
      if (this.seen.length > 5000) throw new Error("events come again and again");
      this.#cursor = page.cursor;
      if (!isWhole || page.isCaughtUp) return;
    }
  }

  async #calls(which: readonly number[]): Promise<void> {
    const tools = ["notes.write", "notes.read", "notes.unheard", "notes.search"];
    await Promise.all(
      which.map((at) => this.#desk(at).call({ tool: tools[this.#n % 4] ?? "", input: { n: this.#n++ } })),
    );
  }

  async #begin(desk: Desk): Promise<void> {
    const { promise, resolve } = gate();
    this.#gates.set(this.#n, promise);
    const ran = desk.deck.runs.length;
    const call = desk.call(write(this.#n++));
    await until(() => desk.deck.runs.length > ran, "the call");
    this.#waiting.push({ resolve, call, desk });
  }

  async #restart(at: number): Promise<void> {
    const desk = this.#desk(at);
    await desk.store.die();
    this.#waiting = this.#waiting.filter((one) => one.desk !== desk);
    this.#desks[at] = this.#open();
    await this.#desk(at).seat.open();
  }

  #desk(at: number): Desk {
    return this.#desks[at] as Desk;
  }

  #open(): Desk {
    const deck = sharedDeck((input) => this.#gates.get((input as { n: number }).n) ?? "done");
    this.#lives += 1;
    const limits = { segmentRecords: this.#segmentRecords };
    return openDesk({ deck, limits, life: this.#lives, store: new FaultyStore(this.store) });
  }
}

test("what a crash left without an end shows its end once it has one, also to whoever had read its beginning", async () => {
  const desk = openDesk({ deed: () => new Promise(() => {}) });
  const ran = desk.deck.runs.length;
  void desk.call(write(1));
  await until(() => desk.deck.runs.length > ran, "the call");
  const { read, cursor } = await readOn(desk.store.inner);
  expect(eventsIn(read)).toStrictEqual(desk.events);
  await desk.store.die();
  await reopenDesk(desk).seat.open();
  const rest = await readOn(desk.store.inner, cursor);
  expect(eventsIn(rest.read).map(({ type, runId }) => [type, runId])).toStrictEqual([
    ["tool.failed", desk.events[0]?.runId],
    ["run.failed", desk.events[0]?.runId],
  ]);
});

/** Reads on from a cursor until there is no more. */
async function readOn(
  store: Store,
  cursor: string = startOfEvents,
  query: { limit?: number; runId?: string; keyId?: string; accountId?: string } = {},
): Promise<{ readonly read: PlacedEvent[]; readonly cursor: string }> {
  const { accountId = "acct_1", limit: pageLimit = 100, runId, keyId } = query;
  const read: PlacedEvent[] = [];
  for (let at = cursor; ; ) {
    const page = await readAccountEvents(store, accountId, at, { limit: pageLimit, runId, keyId });
    expect(page.events.length).toBeLessThanOrEqual(pageLimit);
    read.push(...page.events);
    // What comes again and again is not waited for.
    expect(read.length).toBeLessThan(5000);
    at = page.cursor;
    if (page.isCaughtUp) return { read, cursor: at };
  }
}

/** Every event that is kept, by the segment that it is in, found without a cursor. */
async function keptEvents(store: Store): Promise<Map<string, AgentEvent[]>> {
  const kept = new Map<string, AgentEvent[]>();
  for await (const stream of segmentsOf(store, "acct_1")) {
    const openings = new Map<string, Opening>();
    const stored = await store.readStream({ stream, accountId: "acct_1", limit: 100_000 });
    const events = stored.flatMap(({ text, content }) => {
      const record = journalRecordSchema.parse(parseJsonStrict(text));
      if (record.kind === "call.intended") openings.set(record.callId, record);
      return projectEvents(record, content, "callId" in record ? openings.get(record.callId) : undefined);
    });
    kept.set(stream, events);
  }
  return kept;
}

/** Of each segment, what was read of it, in the order in which it was. */
function bySegment(
  kept: ReadonlyMap<string, readonly AgentEvent[]>,
  read: readonly AgentEvent[],
): ReadonlyMap<string, readonly string[]> {
  const streams = [...kept].flatMap(([stream, events]) =>
    events.map((event) => [nameOf(event), stream] as const),
  );
  const segmentOf = new Map(streams);
  return Map.groupBy(read.map(nameOf), (name) => segmentOf.get(name) ?? "nowhere");
}

function eventsIn(read: readonly PlacedEvent[]): AgentEvent[] {
  return read.map(({ event }) => event);
}

function nameOf(event: AgentEvent): string {
  return "seq" in event ? `${event.runId} ${event.seq}.${event.index}` : "live";
}

function byName(events: readonly AgentEvent[]): AgentEvent[] {
  return events.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function named(cursor: string): string[] {
  return cursor.split(",").map((mark) => mark.replace(/:.*/, ""));
}
