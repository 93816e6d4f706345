// One life of a platform with the markets: <data folder> <life> <key> [<before|after> <nth>]. It arms orders whose price is there, fires them, and
// kills itself at a write of those. Without a death it finishes what was left and one order more, and says what has come of all.
import { openSqliteStore } from "@spfunctions/host/store";
import { openInstallation, type Store, type Unit, verifyAccount } from "@spfunctions/kernel";
import { fixedAnswerModel, openMarkets } from "@spfunctions/markets";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";
import { ManualClock } from "../../packages/kernel/test-data/call-clock.ts";

const [folder = "", life = "0", key = "", when = "", nth = "1"] = process.argv.slice(2);
const accountId = "house";
const moment = Date.parse("2026-11-16T12:00:30.000Z");
const quantity = 2;
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** Whether a write is about an order: its row, its call, or the order at the exchange. */
const isAboutOrder = ({ documents = [], appends = [] }: Unit) =>
  appends.length > 0 || documents.some(({ kind }) => kind === "intent" || kind.startsWith("exchange."));

function dying(inner: Store): Store {
  let count = 0;
  const commit: Store["commit"] = async (unit) => {
    const isIt = isAboutOrder(unit) && ++count === Number(nth);
    if (isIt && when === "before") process.kill(process.pid, "SIGKILL");
    const written = await inner.commit(unit);
    if (isIt) process.kill(process.pid, "SIGKILL");
    return written;
  };
  return new Proxy(inner, {
    get: (target, name: keyof Store) =>
      name === "commit" ? commit : (target[name] as (...all: unknown[]) => unknown).bind(target),
  });
}

const opened = await openSqliteStore({ folder });
const store = when === "" ? opened : dying(opened);
// Whoever was to send an order is given up for dead after a minute.
const clock = new ManualClock(moment + Number(life) * 90_000);
const installation = openInstallation(new Uint8Array(32).fill(7));
const markets = await openMarkets({
  store,
  clock,
  installation,
  model: fixedAnswerModel("Nobody."),
  series: 4,
  mayCall: (...one) => platform.mayCall(...one),
  fire: (order) => platform.callOrdered(order),
});
const rate = { perSecond: 10_000, burst: 100_000 };
const limits = { keyRate: rate, addressRate: rate };
const platform = await openPlatform({ store, installation, packs: [markets.pack], limits });
const client = connectEmbedded(platform, { apiKey: key });

type Intent = { readonly intentId: string; readonly state: string };

async function intents(): Promise<readonly Intent[]> {
  const all = await opened.documents({ kind: "intent", accountId, limit: 10_000 });
  return all.map(({ id, status }) => ({ intentId: id, state: status }));
}

/** Orders that were armed before, here or by those that have died, end; true once none is left. */
async function finish(): Promise<boolean> {
  const stop = markets.tend();
  // oxlint-disable-next-line no-await-in-loop -- until its round has ended
  while (clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
  await stop();
  clock.jump(90_000);
  const open = new Set(["armed", "triggered", "executing", "partial"]);
  return (await intents()).every(({ state }) => !open.has(state));
}

async function arm(number: number): Promise<void> {
  const rows = (await markets.readers[0]?.rows()) ?? [];
  const lasting = rows.find(
    ({ status, askCents, closesAt }) =>
      status === "open" && (askCents ?? 100) < 95 && closesAt > moment + 3 * 86_400_000,
  );
  const trigger = { when: "ask_at_or_below", priceCents: 99 } as const;
  const order = { venue: "embedded", ticker: lasting?.ticker ?? "", action: "buy", side: "yes" } as const;
  const input = { ...order, quantity, limitPriceCents: 99, trigger, autoExecute: true, dryRun: false };
  await client.call("execution.place", input, { idempotencyKey: `arm-${number}-${life}` });
}

/* oxlint-disable no-await-in-loop -- one order after the other */
for (let isDone = await finish(); !isDone; isDone = await finish());
for (let isLast = false; !isLast; isLast = when === "") {
  await arm((await intents()).length);
  for (let isDone = await finish(); !isDone; isDone = await finish());
}
/* oxlint-enable no-await-in-loop */

const all = await intents();
/** Why orders were not filled, each once. */
const reasons = new Set<string>();
for (const { body, status } of await opened.documents({ kind: "intent", accountId, limit: 10_000 })) {
  const { value } = JSON.parse(body) as { value: { history: readonly { reason?: string }[] } };
  if (status !== "filled") reasons.add(`${status}: ${value.history.at(-1)?.reason ?? "no reason"}`);
}
const orders = await markets.live.orders(accountId, { limit: 1000 });
await platform.close();
say({
  states: Object.fromEntries(
    [...new Set(all.map(({ state }) => state))].map((state) => [
      state,
      all.filter((one) => one.state === state).length,
    ]),
  ),
  orders: orders.length,
  contracts: orders.reduce((sum, { filled }) => sum + filled, 0),
  quantity,
  reasons: [...reasons].toSorted(),
  journal: (await verifyAccount(opened, accountId)).status,
});
await opened.close();
