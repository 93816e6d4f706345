// The prediction markets of `sf up` after kill -9, in processes of its own: no order is lost, and none is placed twice.
import { expect, test } from "vitest";
import { Home } from "../test-data/run-sf.ts";
import { verified } from "../test-data/run-up.ts";
import {
  askMarkets,
  buying,
  endMarkets,
  holdingsOf,
  lastingTicker,
  type MarketsUp,
  type PlacedOrder,
  startMarkets,
} from "../test-data/run-up-markets.ts";

const openingCents = 100_000;

test("X1: every order is there once, whether or not it was answered before kill -9, and the money adds up", async () => {
  const home = new Home();
  const ticker = await lastingTicker();
  const keys = Array.from({ length: 12 }, (_, at) => `order-${at}`);
  const place = async (up: MarketsUp, at: number) => {
    const body = buying(ticker, at % 3 === 0 ? { limitPriceCents: 1 } : {});
    const asked = { body, idempotencyKey: keys[at] };
    const { order } = (await askMarkets(home, up, "/api/paper/orders", asked)) as { order: PlacedOrder };
    return order.orderId;
  };
  const answered = new Map<number, string>();
  let up = await startMarkets(home);
  for (const from of [0, 6]) {
    const sent = [0, 1, 2, 3, 4, 5].map(async (one) => {
      answered.set(from + one, await place(up, from + one));
    });
    // As soon as one of them is answered: the others are anywhere.
    await Promise.any(sent);
    await endMarkets(up, "SIGKILL");
    await Promise.allSettled(sent);
    up = await startMarkets(home);
  }
  const ids: string[] = [];
  for (const at of keys.keys()) ids.push(await place(up, at));
  expect(answered.size).toBeGreaterThan(1);
  for (const [at, orderId] of answered) expect(ids[at]).toBe(orderId);
  const { items, cashCents, reservedCents, positions } = await holdingsOf(home, up);
  expect(items.map(({ orderId }) => orderId).toSorted()).toStrictEqual(ids.toSorted());
  const spent = items.reduce((sum, { filledCents, feeCents }) => sum + filledCents + feeCents, 0);
  expect({ cashCents, reservedCents, positions }).toStrictEqual({
    cashCents: openingCents - spent - 4 * 2,
    reservedCents: 4 * 2,
    positions: [{ ticker, yes: 8 * 2, no: 0 }],
  });
  await endMarkets(up, "SIGTERM");
  expect(await verified(home)).toMatch(/^ok: the journal of local, 3 segments/);
});
