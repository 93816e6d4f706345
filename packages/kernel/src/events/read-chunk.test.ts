// Whoever searches a journal stops nobody: after every chunk everything else that is due has its turn.
import { beforeAll, describe, expect, test } from "vitest";
import { type Desk, openDesk } from "../../test-data/call-desk.ts";
import { gate, until } from "../../test-data/call-waiting.ts";
import { startOfEvents } from "./event-cursor.ts";
import { findRun, hasRunEnded } from "./find-run.ts";
import { readAccountEvents } from "./read-account-events.ts";

const calls = 300;
const write = (n: number) => ({ tool: "notes.write", input: { n } });
const nobody = "run_nobody-at-all";

/** One segment in which all calls begin before any ends, and many with one call each. */
let long: Desk;
let rolling: Desk;
beforeAll(async () => {
  const { promise, resolve } = gate();
  long = openDesk({ deed: () => promise });
  const under = Array.from({ length: calls }, (_, n) => long.call(write(n)));
  await until(() => long.deck.runs.length === calls, "their beginning");
  resolve();
  await Promise.all(under);
  rolling = openDesk({ limits: { segmentRecords: 2 } });
  for (let n = 0; n < 30; n++) {
    await rolling.call(write(n));
  }
});

/** A cursor after everything in the long segment. */
const atEnd = () => `${long.seat.segments[0]}:${2 * calls + 2}.0`;

const searches: [string, () => Desk, (desk: Desk) => Promise<unknown>, unknown][] = [
  [
    "for a run that never was",
    () => long,
    ({ store }) => findRun(store, "acct_1", nobody, { segments: 4 }),
    undefined,
  ],
  [
    "for a run that never was, with a cursor",
    () => long,
    ({ store }) => findRun(store, "acct_1", nobody, { segments: 4, cursor: atEnd() }),
    undefined,
  ],
  [
    "for the end of a run that never was",
    () => long,
    ({ store }) => hasRunEnded(store, "acct_1", nobody, atEnd()),
    false,
  ],
  ["for a key's events where it has none", () => long, (desk) => countEvents(desk, { keyId: "key_2" }), 0],
  ["for a run's events where there are none", () => long, (desk) => countEvents(desk, { runId: nobody }), 0],
  ["for all events", () => long, (desk) => countEvents(desk, {}), calls * 6],
  [
    "back for what began a call",
    () => long,
    async ({ store, seat }) =>
      (await readAccountEvents(store, "acct_1", `${seat.segments[0]}:${2 * calls + 1}.0`, { limit: 9 }))
        .events.length,
    2,
  ],
  ["along the chain of segments", () => rolling, (desk) => countEvents(desk, {}), 180],
  [
    "along the chain for a run that never was",
    () => rolling,
    ({ store }) => findRun(store, "acct_1", nobody, { segments: 99 }),
    undefined,
  ],
];

async function countEvents(
  { store }: Desk,
  scope: { readonly keyId?: string; readonly runId?: string },
): Promise<number> {
  const page = await readAccountEvents(store, "acct_1", startOfEvents, { limit: 5000, ...scope });
  expect(page.isCaughtUp).toBe(true);
  return page.events.length;
}

describe.each(searches)("a search %s", (_what, deskOf, search, found) => {
  test("reads once and no more before everybody else has had a turn", async () => {
    const desk = deskOf();
    let turns = 0;
    let isOver = false;
    const take = () => {
      turns += 1;
      if (!isOver) setImmediate(take);
    };
    setImmediate(take);
    const seen: number[] = [];
    desk.store.beforeRead = () => void seen.push(turns);
    expect(await search(desk)).toBe(found);
    isOver = true;
    desk.store.beforeRead = () => {};
    expect(seen.length).toBeGreaterThan(4);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test("lets a timer fire that was set before it, though the store never waits", async () => {
    const desk = deskOf();
    let left = 0;
    let firedBefore: number | undefined;
    desk.store.beforeRead = () => {
      left += 1;
      // A read that takes its time and gives none away.
      for (const end = performance.now() + 2; performance.now() < end; );
    };
    setTimeout(() => {
      firedBefore = left;
    }, 1);
    await search(desk);
    desk.store.beforeRead = () => {};
    expect(firedBefore).toBeLessThan(left);
  });
});
