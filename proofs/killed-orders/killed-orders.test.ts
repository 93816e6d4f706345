import { expect, test } from "vitest";
import { killedOrders } from "./killed-orders.ts";

test("killed orders (X1, G1): killed before or after any write of an order that fires, the next process goes on, no order is filled twice, and one that is not filled says why", async () => {
  const report = await killedOrders({ kills: 3, seed: 3 });
  expect(report.broken).toStrictEqual([]);
  expect(report.kills).toBe(3);
}, 240_000);
