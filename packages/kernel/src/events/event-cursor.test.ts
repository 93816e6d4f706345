// I1, B22: a cursor comes back from outside, and is believed in nothing.
import { InvalidInputError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { type Desk, openDesk, principalOf } from "../../test-data/call-desk.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import { startOfEvents } from "./event-cursor.ts";
import { hasRunEnded } from "./find-run.ts";
import { readAccountEvents } from "./read-account-events.ts";

const write = (n: number) => ({ tool: "notes.write", input: { n } });
const remedy = "give one as it came with an event, or leave it out to begin anew";

async function refusal(desk: Desk, cursor: unknown): Promise<unknown> {
  const { store } = desk;
  return await readAccountEvents(store, "acct_1", cursor as string, { limit: 5 }).catch(
    (error: unknown) => error,
  );
}

describe("is refused, in words that say what to do:", () => {
  test.each([
    "",
    " ",
    "0",
    "begin",
    "seg_a:1.0",
    "seg_00000001",
    "seg_00000001:",
    "seg_00000001:0.0",
    "seg_00000001:01.0",
    "seg_00000001:1",
    "seg_00000001:1.00",
    "seg_00000001:-1.0",
    "seg_00000001:1.0,",
    "seg_00000001:1.0 ",
    "seg_00000001:1.0,seg_00000001:2.0",
    "seg_00000001:9999999999999999.0",
    "acct_00000001:1.0",
    `seg_00000001:1.0${",seg_00000001:1.0".repeat(5000)}`,
    undefined,
    { length: 1 },
  ])("%s", async (cursor) => {
    const error = await refusal(openDesk(), cursor);
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({
      code: "invalid_input",
      message: `the cursor is not a cursor; ${remedy}`,
      details: { path: "/cursor", reason: "malformed" },
    });
  });
});

const unknownPlace = {
  code: "invalid_input",
  message: `the cursor names a place that this journal does not have; ${remedy}`,
  details: { path: "/cursor", reason: "unknown_place" },
};

test("another account's segment is refused in the same words as one that nobody has (I1)", async () => {
  const store = new FaultyStore();
  const mine = openDesk({ store });
  const theirs = openDesk({ store, life: 2, principal: principalOf("acct_2") });
  await mine.call(write(1));
  await theirs.call(write(2));
  const { cursor } = await readAccountEvents(store, "acct_2", startOfEvents, { limit: 3 });
  const foreign = (await refusal(mine, cursor)) as InvalidInputError;
  const missing = (await refusal(mine, "seg_00000009-0000:3.1")) as InvalidInputError;
  expect(foreign).toMatchObject(unknownPlace);
  expect(foreign.toJSON()).toStrictEqual(missing.toJSON());
  const own = (await readAccountEvents(store, "acct_1", startOfEvents, { limit: 3 })).cursor;
  expect(await refusal(mine, `${own},${cursor}`)).toMatchObject(unknownPlace);
  expect(await refusal(mine, `${cursor},${own}`)).toMatchObject(unknownPlace);
  const runId = theirs.events[0]?.runId as string;
  expect(await hasRunEnded(store, "acct_1", runId, cursor.replace(/:.*/, ":99.0"))).toBe(false);
});

describe("a place that its segment does not have is refused", () => {
  const places = ["4.1", "5.0", "9.0", "2.9", "1.1"];

  test.each(places)("%s, of one that is open", async (place) => {
    const desk = openDesk();
    await desk.call(write(1));
    expect(await refusal(desk, `${desk.seat.segments[0]}:${place}`)).toMatchObject(unknownPlace);
  });

  test.each(places)("%s, of one that is sealed", async (place) => {
    const desk = openDesk();
    await desk.call(write(1));
    await desk.seat.close();
    expect(await refusal(desk, `${desk.seat.segments[0]}:${place}`)).toMatchObject(unknownPlace);
  });
});

test("segments in another order than they began in are refused, rather than read twice", async () => {
  const slow = Promise.withResolvers<string>();
  const desk = openDesk({
    limits: { segmentRecords: 3 },
    deed: (input) => ((input as { n: number }).n === 0 ? slow.promise : "done"),
  });
  const first = desk.call(write(0));
  await desk.call(write(1));
  await desk.call(write(2));
  const [older, newer] = desk.seat.segments;
  const swapped = `${newer}:1.0,${older}:1.0`;
  await expect(readAccountEvents(desk.store, "acct_1", swapped, { limit: 100 })).rejects.toMatchObject({
    code: "invalid_input",
    details: { path: "/cursor", reason: "malformed" },
  });
  slow.resolve("done");
  await first;
});

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
  "a page of %s events is none",
  async (limit) => {
    await expect(
      readAccountEvents(openDesk().store, "acct_1", startOfEvents, { limit }),
    ).rejects.toMatchObject({
      code: "invalid_input",
      details: { path: "/limit" },
    });
  },
);
