// A process that trades: random orders and cancels by its own seed, on its parent's store, until it has done as many as it was told
// or is killed. Its keys are the same for the same seed, so that one that comes after it asks for the same again.
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { randomIds, systemClock } from "@spfunctions/kernel";
import { openExchange } from "../src/exchange/open-exchange.ts";
import { mulberry } from "./mulberry.ts";
import { tradedMarkets } from "./traded-markets.ts";
import { parentStore } from "./store-over-ipc.ts";

const [seed = "0", orders = "0", startedAt = "0"] = process.argv.slice(2);
const ahead = Number(startedAt) - Date.now();
const exchange = openExchange({
  ledger: "live",
  store: parentStore(),
  clock: { ...systemClock, now: () => Date.now() + ahead },
  ids: randomIds,
  simulation: tradedMarkets,
  openingCents: 50_000,
});
async function lane(name: number): Promise<void> {
  for (let index = 0; index < Number(orders); index++) {
    // Of its own for each order: what is wanted under a key must not depend on how the one before it went.
    const random = mulberry(Number(seed) * 1_000_000 + name * 10_000 + index);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const who = pick(["ann", "bob", "cleo", "dora"]);
    const wanted = {
      ticker: pick(["A", "B"]),
      action: pick(["buy", "buy", "sell"] as const),
      side: pick(["yes", "no"] as const),
      quantity: 1 + Math.floor(random() * 20),
      ...(random() < 0.8 && { limitCents: 30 + Math.floor(random() * 40) }),
    };
    try {
      const { orderId } = await exchange.place(who, `${seed}-${name}-${index}`, wanted);
      if (random() < 0.2) await exchange.cancel(who, orderId);
    } catch (error) {
      if (!isSimpleFunctionsError(error)) throw error;
    }
  }
}
await Promise.all([1, 2, 3].map(lane));
process.exit(0);
