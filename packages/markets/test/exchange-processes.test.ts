// Several processes trade on one store at once, and are killed in the middle of it.
import { createMemoryStore, randomIds, type Store, systemClock } from "@spfunctions/kernel";
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openExchange } from "../src/exchange/open-exchange.ts";
import { tickMs } from "../src/simulation/simulated-market.ts";
import { mulberry } from "../test-data/mulberry.ts";
import { day, opening } from "../test-data/quiet-markets.ts";
import { serveStore } from "../test-data/store-over-ipc.ts";
import { totalOf } from "../test-data/total-of.ts";
import { tradedMarkets } from "../test-data/traded-markets.ts";

const startedAt = opening + 10 * tickMs;

function trade(store: Store, seed: number, orders: number) {
  const child = fork(
    join(import.meta.dirname, "../test-data/trading-process.ts"),
    [seed, orders, startedAt].map(String),
    {
      execArgv: ["--conditions=source", "--disable-warning=ExperimentalWarning"],
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  serveStore(child, store);
  // What it has sent before it died may still arrive after that.
  const ended = Promise.all([once(child, "exit"), once(child, "disconnect")]).then(
    ([[code]]) => code as unknown,
  );
  return { child, ended };
}

/** A store that tells after how many commits something happens. */
function counted(store: Store, at: (commits: number) => void): Store {
  let commits = 0;
  return new Proxy(store, {
    get: (target, name: keyof Store) =>
      name === "commit"
        ? async (unit: Parameters<Store["commit"]>[0]) => {
            const result = await target.commit(unit);
            if (result.type === "committed") at(++commits);
            return result;
          }
        : (target[name] as (...all: unknown[]) => unknown).bind(target),
  });
}

const sound = { uneven: [], crossed: [] };

test("X1: money and contracts are conserved among processes that trade at once and are killed, and no key places two orders", {
  timeout: 120_000,
}, async () => {
  const store = createMemoryStore();
  const random = mulberry(20_261_116);
  const running: ReturnType<typeof trade>[] = [];
  const killAt = new Set(Array.from({ length: 6 }, () => 20 + Math.floor(random() * 150)));
  let killed = 0;
  const watched = counted(store, (commits) => {
    if (!killAt.has(commits)) return;
    const victim = running[Math.floor(random() * running.length)];
    if (victim?.child.kill("SIGKILL") === true) killed++;
  });
  for (const seed of [1, 2, 3]) running.push(trade(watched, seed, 25));
  await Promise.all(running.map(({ ended }) => ended));
  expect(killed).toBeGreaterThan(0);
  const between = await totalOf(store, "live");
  expect([between.cents, between.uneven, between.crossed]).toStrictEqual([between.depositedCents, [], []]);

  // Whoever was killed is followed by one that asks for the same again, with the same keys.
  const placedBefore = await ordersOf(store);
  const again = [1, 2, 3].map((seed) => trade(store, seed, 25));
  expect(await Promise.all(again.map(({ ended }) => ended))).toStrictEqual([0, 0, 0]);
  const { cents, depositedCents, ...rest } = await totalOf(store, "live");
  expect([cents, rest]).toStrictEqual([depositedCents, sound]);
  const placed = await ordersOf(store);
  expect(placedBefore.every((orderId) => placed.includes(orderId))).toBe(true);
  expect(placed.length).toBeGreaterThan(60);
  // Every lane of every process has a key for each of its orders, and no more orders than that.
  expect(placed.length).toBeLessThanOrEqual(3 * 3 * 25);

  const exchange = openExchange({
    ledger: "live",
    store,
    clock: { ...systemClock, now: () => opening + day },
    ids: randomIds,
    simulation: tradedMarkets,
  });
  await exchange.advance();
  const end = await totalOf(store, "live");
  expect([end.cents, end.uneven]).toStrictEqual([depositedCents, []]);
  expect(await exchange.portfolio("ann")).toMatchObject({ positions: [], openOrders: 0, reservedCents: 0 });
});

async function ordersOf(store: Store): Promise<string[]> {
  const kind = "exchange.live.order";
  const found = await Promise.all(
    ["ann", "bob", "cleo", "dora"].map((accountId) => store.documents({ kind, accountId, limit: 1000 })),
  );
  return found.flat().map(({ id }) => id);
}
