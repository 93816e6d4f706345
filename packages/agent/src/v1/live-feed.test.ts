// What is live is heard in its place, is never more than can be kept, and is nobody's reason to wait.
import type { RuntimeEvent } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { turn } from "../../../kernel/test-data/call-waiting.ts";
import { LiveFeed, withLive } from "./live-feed.ts";

const common = { runId: "run_00000000", ts: "2026-01-02T03:04:05.000Z" };
const recorded = (seq: number, index = 0) =>
  ({ ...common, type: "model.started", seq, index }) as unknown as RuntimeEvent;
const delta = (text: string) =>
  ({ ...common, type: "model.delta", live: true, text }) as unknown as RuntimeEvent;
const labelOf = (event: RuntimeEvent) =>
  "seq" in event ? `${event.seq}.${event.index}` : (event as { text: string }).text;

/** What is heard of records that come one after the other, without a pause between the events of one. */
async function heard(
  feed: LiveFeed,
  records: readonly RuntimeEvent[],
  before: (seq: number) => unknown = () => undefined,
): Promise<string[]> {
  async function* journaled(): AsyncGenerator<RuntimeEvent> {
    let last = 0;
    for (const event of records) {
      const seq = "seq" in event ? event.seq : 0;
      if (seq !== last) await before(seq);
      last = seq;
      yield event;
    }
  }
  const labels: string[] = [];
  for await (const event of withLive(journaled(), feed.reader(), new AbortController()))
    labels.push(labelOf(event));
  return labels;
}

const anyRecord = fc.record({ events: fc.integer({ min: 0, max: 3 }), lives: fc.nat(3) });

test("every live event comes after all of the record that it came after, and before the next", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRecord, { minLength: 1, maxLength: 8 }), fc.nat(8), async (story, early) => {
      const feed = new LiveFeed();
      const records = story.flatMap(({ events }, at) =>
        Array.from({ length: events }, (_, index) => recorded(at + 1, index)),
      );
      let told = 0;
      const sayUpTo = (end: number) => {
        for (; told < Math.min(end, story.length); told++)
          for (let nth = 0; nth < (story[told]?.lives ?? 0); nth++)
            feed.watch(delta(`after ${told + 1}`), told + 1);
      };
      // Some are there before anybody looks; the others come while their record is the last.
      sayUpTo(early);
      const labels = await heard(feed, records, async (seq) => {
        sayUpTo(seq - 1);
        await turn();
      });
      const places = labels.map((label) =>
        label.startsWith("after ") ? Number(label.slice(6)) + 0.5 : Number(label.split(".")[0]),
      );
      expect(places).toStrictEqual(places.toSorted((one, other) => one - other));
      expect(labels.filter((label) => !label.startsWith("after "))).toStrictEqual(records.map(labelOf));
    }),
    { numRuns: 200 },
  );
});

test("whoever is slow loses the oldest of what is live, and no record", async () => {
  const feed = new LiveFeed();
  for (let nth = 0; nth < 12_000; nth++) feed.watch(delta(`${nth}`), 1);
  const labels = await heard(feed, [recorded(1), recorded(2)]);
  expect([labels[0], labels[1], labels.at(-2), labels.at(-1), labels.length]).toStrictEqual([
    "1.0",
    "2000",
    "11999",
    "2.0",
    10_002,
  ]);
});

describe("whoever stops looking", () => {
  test("is told nothing more, and others are", async () => {
    const feed = new LiveFeed();
    const [one, other] = [feed.reader(), feed.reader()];
    one.close();
    feed.watch(delta("x"), 1);
    expect([one.take(1), other.take(1).map(labelOf)]).toStrictEqual([[], ["x"]]);
  });

  test("ends the reading of the journal, also while that waits", async () => {
    const stop = new AbortController();
    const ended = Promise.withResolvers<void>();
    async function* journaled(): AsyncGenerator<RuntimeEvent> {
      yield recorded(1);
      stop.signal.addEventListener("abort", () => ended.resolve());
      await ended.promise;
    }
    for await (const event of withLive(journaled(), new LiveFeed().reader(), stop)) if ("seq" in event) break;
    expect(stop.signal.aborted).toBe(true);
  });
});

test("a journal that cannot be read on is the end of it, with why", async () => {
  async function* broken(): AsyncGenerator<RuntimeEvent> {
    yield recorded(1);
    throw new Error("it is broken");
  }
  const read = async () => {
    for await (const event of withLive(broken(), new LiveFeed().reader(), new AbortController())) void event;
  };
  await expect(read()).rejects.toThrow("it is broken");
});
