// X1: an order whose process is killed, by the operating system and on a real disk, is in doubt no more once somebody recovers.
import { openSqliteStore } from "@spfunctions/host/store";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Intent } from "../src/intents/intent.ts";
import { day } from "../test-data/quiet-markets.ts";
import { Prices } from "../test-data/trading-desk.ts";
import { processOn } from "./one-process.ts";

const wanted = { ticker: "RAIN", action: "buy", side: "yes", quantity: 10, limitPriceCents: 60 } as const;

async function kill(folder: string, ...args: readonly string[]): Promise<void> {
  const child = fork(join(import.meta.dirname, "dying-process.ts"), [folder, ...args], {
    execArgv: ["--conditions=source", "--disable-warning=ExperimentalWarning"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  expect(await Promise.race([once(child, "message"), once(child, "exit")])).toStrictEqual(["now", undefined]);
  child.kill("SIGKILL");
  expect(await once(child, "exit")).toStrictEqual([null, "SIGKILL"]);
}

test.each([
  ["before its order is written", "before", { outcome: "failed", by: "reconcile" }, 0],
  ["after its order is written", "after", { outcome: "completed", by: "reconcile" }, 1],
] as const)("X1: paper.order, killed %s and recovered days later", async (_, when, said, orders) => {
  const found = await killAndRecover("paper.order", wanted, ["exchange.paper.order", when], 8 * day);
  expect(found).toMatchObject({ settled: [said], unknown: [], orders: { paper: orders, live: 0 } });
});

test.each([
  ["after its intent is written", ["intent", "after"], 0, { outcome: "completed", by: "retry" }, 1],
  [
    "after its order is written",
    ["exchange.live.order", "after"],
    0,
    { outcome: "completed", by: "retry" },
    1,
  ],
  [
    "after its intent, and days ago,",
    ["intent", "after"],
    8 * day,
    { outcome: "failed", by: "reconcile" },
    0,
  ],
] as const)("X1: execution.place, killed %s", async (_, death, waitMs, said, orders) => {
  const input = { ...wanted, venue: "embedded", dryRun: false };
  const found = await killAndRecover("execution.place", input, death, waitMs);
  expect(found).toMatchObject({ settled: [said], unknown: [], orders: { paper: 0, live: orders } });
  const intents = await found.store.documents({ kind: "intent", accountId: "ann", limit: 9 });
  const [state, reason] =
    orders === 1 ? ["filled", undefined] : ["cancelled", "the call that was to send it ended before it did"];
  expect(intents.map(({ status }) => status)).toStrictEqual([state]);
  expect((JSON.parse(intents[0]?.body ?? "") as { value: Intent }).value.history.at(-1)?.reason).toBe(reason);
});

async function killAndRecover(tool: string, input: object, death: readonly string[], waitMs: number) {
  const folder = mkdtempSync(join(tmpdir(), "killed-orders-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await kill(folder, tool, JSON.stringify(input), ...death);
  const store = await openSqliteStore({ folder });
  onTestFinished(async () => await store.close());
  const prices = new Prices();
  prices.clock.jump(waitMs);
  const about = tool.startsWith("paper.") ? "paper" : "live";
  const { calls, live, paper } = processOn(store, 3, { prices, days: 30, about });
  const { settled } = await calls.recover();
  const [onPaper, forReal] = await Promise.all([paper, live].map((one) => one.orders("ann", { limit: 9 })));
  const orders = { paper: onPaper?.length, live: forReal?.length };
  return { store, settled, unknown: await calls.unknown(), orders };
}
