import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Book, bookSideOf, simulatedAccount, type StandingOrder } from "./book.ts";
import { matchOrder } from "./match-order.ts";

const someOrder = fc.record({
  accountId: fc.constantFrom("ann", "bob", "cleo", simulatedAccount),
  action: fc.constantFrom("buy", "sell"),
  side: fc.constantFrom("yes", "no"),
  priceCents: fc.integer({ min: 1, max: 99 }),
  quantity: fc.integer({ min: 1, max: 20 }),
  stays: fc.boolean(),
});

/** Nothing but what the rule says, looked for from the start every time. */
class Naive {
  standing: (StandingOrder & { readonly since: number })[] = [];
  #time = 0;

  take(order: StandingOrder, stays: boolean): unknown[] {
    const said: unknown[] = [];
    let { quantity } = order;
    while (quantity > 0) {
      const best = this.#best(order);
      if (best === undefined) break;
      this.standing = this.standing.filter((one) => one !== best);
      if (best.accountId === order.accountId && best.accountId !== simulatedAccount) {
        said.push(["withdrawn", best.orderId]);
        continue;
      }
      const traded = Math.min(quantity, best.quantity);
      said.push(["filled", best.orderId, best.priceCents, traded]);
      quantity -= traded;
      if (traded < best.quantity) this.standing.push({ ...best, quantity: best.quantity - traded });
    }
    if (stays && quantity > 0) this.standing.push({ ...order, quantity, since: this.#time++ });
    return [...said, ["left", quantity]];
  }

  #best(order: StandingOrder): (typeof this.standing)[number] | undefined {
    const sign = bookSideOf(order) === "bid" ? 1 : -1;
    return this.standing
      .filter((one) => bookSideOf(one) !== bookSideOf(order))
      .filter((one) => sign * one.priceCents <= sign * order.priceCents)
      .toSorted((a, b) => sign * (a.priceCents - b.priceCents) || a.since - b.since)[0];
  }
}

describe("matching, for any flow of orders", () => {
  test("meets whom price-time priority says, as a naive search for the best does", () => {
    fc.assert(
      fc.property(fc.array(someOrder, { maxLength: 60 }), (wanted) => {
        const naive = new Naive();
        let book: Book = { bids: [], asks: [] };
        for (const [index, { stays, ...terms }] of wanted.entries()) {
          const order = { ...terms, orderId: `o${index}` };
          const before = JSON.stringify(book);
          const matched = matchOrder(book, order, stays);
          expect(JSON.stringify(book)).toBe(before);
          const said = [
            ...matched.withdrawn.map(({ orderId }) => ["withdrawn", orderId]),
            ...matched.fills.map(({ maker, quantity }) => [
              "filled",
              maker.orderId,
              maker.priceCents,
              quantity,
            ]),
            ["left", matched.left],
          ];
          expect(new Set(said.map(String))).toStrictEqual(new Set(naive.take(order, stays).map(String)));
          expect(matched.fills.map(({ maker }) => maker.orderId)).toStrictEqual(
            said.filter(([what]) => what === "filled").map(([, orderId]) => orderId),
          );
          book = matched.book;
          expect(
            new Set([...book.bids, ...book.asks].map(({ orderId, quantity }) => `${orderId} ${quantity}`)),
          ).toStrictEqual(new Set(naive.standing.map(({ orderId, quantity }) => `${orderId} ${quantity}`)));
        }
      }),
      { numRuns: 300 },
    );
  });

  test("never leaves a crossed book, and keeps each side in the order of its priority", () => {
    fc.assert(
      fc.property(fc.array(someOrder, { maxLength: 80 }), (wanted) => {
        let book: Book = { bids: [], asks: [] };
        for (const [index, { stays, ...terms }] of wanted.entries()) {
          book = matchOrder(book, { ...terms, orderId: String(index) }, stays).book;
          expect(book.bids[0]?.priceCents ?? 0).toBeLessThan(book.asks[0]?.priceCents ?? 100);
          for (const [side, sign] of [
            [book.bids, -1],
            [book.asks, 1],
          ] as const) {
            const places = side.map(
              ({ priceCents, orderId }) => [sign * priceCents, Number(orderId)] as const,
            );
            expect(places).toStrictEqual(places.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]));
            expect(side.every(({ quantity }) => quantity > 0)).toBe(true);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
