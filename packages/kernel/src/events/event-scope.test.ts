// Of what is not asked for no more is read than whose it is; what is shown is the same as if everything had been.
import type { AgentEvent } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { type Desk, openDesk, principalOf } from "../../test-data/call-desk.ts";
import { type Fate, fates, meet, openBook } from "../../test-data/call-journal.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import { gate, until } from "../../test-data/call-waiting.ts";
import type { StoredRecord } from "../store/store.ts";
import { startOfEvents } from "./event-cursor.ts";
import type { PlacedEvent } from "./page-reading.ts";
import type { EventScope } from "./project-stored.ts";
import { readAccountEvents } from "./read-account-events.ts";

const keys = ["key_1", "key_2"] as const;

const fate = fc.constantFrom(...fates);
/** What each key's calls come to, at the same time. */
const rounds = fc.array(fc.tuple(fc.array(fate, { maxLength: 3 }), fc.array(fate, { maxLength: 3 })), {
  minLength: 1,
  maxLength: 4,
});

test("J3: a key's or a run's events are those among all events that are its own, from every cursor on, for pages of any size", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      rounds,
      fc.integer({ min: 3, max: 30 }),
      fc.integer({ min: 2, max: 9 }),
      async (played, segmentRecords, limit) => {
        const { store, books } = await play(played, segmentRecords);
        const all = await readOn(store, startOfEvents, {}, 100);
        const from = [startOfEvents, ...all.map(({ cursor }) => cursor)].filter((_, at) => at % 7 === 0);
        for (const [at, cursor] of from.entries()) {
          const rest = eventsIn(await readOn(store, cursor, {}, 100));
          for (const scope of scopesOf(books, all[at]?.event.runId)) {
            const own = eventsIn(await readOn(store, cursor, scope, limit));
            expect(own).toStrictEqual(rest.filter((event) => isIn(books, scope, event)));
            compared += own.length;
          }
        }
      },
    ),
    { numRuns: 12, examples: [[[[["resolved"], ["resolved"]]], 3, 2]] },
  );
  expect(compared).toBeGreaterThan(100);
});

async function play(played: readonly (readonly Fate[])[][], segmentRecords: number) {
  const store = new FaultyStore();
  const books = keys.map((keyId, at) =>
    openBook({
      store,
      deck: new Deck(),
      life: at + 1,
      limits: { segmentRecords },
      principal: principalOf("acct_1", { keyId }),
    }),
  );
  let n = 0;
  for (const round of played) {
    await Promise.all(books.map((book, at) => meetAll(book, round[at] ?? [], () => n++)));
  }
  return { store: store.inner, books };
}

async function meetAll(book: Desk, all: readonly Fate[], next: () => number): Promise<void> {
  for (const one of all) {
    await meet(book, one, next());
  }
}

function scopesOf(books: readonly Desk[], runId: string | undefined): EventScope[] {
  const byKey = [...keys, "key_3", "key"].map((keyId) => ({ keyId }));
  if (runId === undefined) return byKey;
  const ownKey = keys[books.findIndex(({ events }) => events.some((event) => event.runId === runId))];
  return [...byKey, { runId }, { runId, keyId: ownKey }, { runId, keyId: "key_3" }];
}

function isIn(books: readonly Desk[], { runId, keyId }: EventScope, event: AgentEvent): boolean {
  if (runId !== undefined && event.runId !== runId) return false;
  if (keyId === undefined) return true;
  return books[keys.indexOf(keyId as "key_1")]?.events.some((one) => one.runId === event.runId) === true;
}

async function readOn(
  store: FaultyStore["inner"],
  cursor: string,
  scope: EventScope,
  limit: number,
): Promise<PlacedEvent[]> {
  const read: PlacedEvent[] = [];
  for (let at = cursor; ; ) {
    const page = await readAccountEvents(store, "acct_1", at, { limit, ...scope });
    read.push(...page.events);
    expect(read.length).toBeLessThan(5000);
    at = page.cursor;
    if (page.isCaughtUp) return read;
  }
}

function eventsIn(read: readonly PlacedEvent[]): AgentEvent[] {
  return read.map(({ event }) => event);
}

test("others' calls that are under way by the hundred hide nothing of one's own", async () => {
  const store = new FaultyStore();
  const { promise, resolve } = gate();
  const [mine, theirs] = keys.map((keyId, at) =>
    openDesk({
      store,
      life: at + 1,
      deck: new Deck(() => promise),
      principal: principalOf("acct_1", { keyId }),
    }),
  ) as [Desk, Desk];
  const first = mine.call({ tool: "notes.write", input: { n: 0 } });
  await until(() => mine.deck.runs.length === 1);
  const others = Array.from({ length: 300 }, (_, n) => theirs.call({ tool: "notes.write", input: { n } }));
  await until(() => theirs.deck.runs.length === 300);
  resolve();
  await Promise.all([first, ...others]);
  const read = await readOn(store.inner, startOfEvents, { keyId: "key_1" }, 4);
  expect(eventsIn(read)).toStrictEqual(mine.events);
});

type Change = (record: StoredRecord) => string;
const own: [string, Change][] = [
  ["beginning", ({ text }) => text.replace("call.intended", "call.intendet")],
  ["verdict", ({ text }) => text.replace('"verdict":{', '"verdict":{"more":1,')],
  ["end", ({ text }) => text.replace('"status":"completed"', '"status":"complete"')],
  ["end's kind", ({ text }) => text.replace('"kind":"call.settled"', '"kind":"call.setled"')],
];
const anybodys: [string, Change][] = [
  ["half a record", ({ text, seq }) => (seq === 2 ? text.slice(0, 40) : text)],
  ["no record", ({ text, seq }) => (seq === 2 ? "7" : text)],
  ["a record of no call", ({ text, seq }) => (seq === 2 ? text.replace('"callId"', '"callld"') : text)],
  ["a call of nobody's", ({ text, seq }) => (seq === 2 ? text.replace('"keyId"', '"keyld"') : text)],
];

describe("B22: nothing is shown or passed over that cannot be made out:", () => {
  const cases = [
    ...own.map(([what, change]) => [`one's own ${what}`, "key_1", change] as const),
    ...anybodys.map(([what, change]) => [`another's: ${what}`, "key_2", change] as const),
  ];
  test.each(cases)("%s", async (_what, keyId, change) => {
    const desk = openDesk();
    await desk.call({ tool: "notes.write", input: { n: 1 } });
    desk.store.tamper = (records) => records.map((record) => ({ ...record, text: change(record) }));
    const reading = readAccountEvents(desk.store, "acct_1", startOfEvents, { limit: 100, keyId });
    await expect(reading).rejects.toMatchObject({
      code: "journal_corrupt",
      message: expect.stringMatching(/^record [23] of seg_\S+ is not what was written; verify the journal$/),
    });
  });
});
