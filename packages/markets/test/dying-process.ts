// A process that makes one call on a data folder, and says when it is about to write, or has just written, what it is to die at.
import { openSqliteStore } from "@spfunctions/host/store";
import type { Store, Unit } from "@spfunctions/kernel";
import { Prices } from "../test-data/trading-desk.ts";
import { processOn } from "./one-process.ts";

const [folder = "", tool = "", input = "", kind = "", when = ""] = process.argv.slice(2);
const inner = await openSqliteStore({ folder });
const isIt = ({ documents = [] }: Unit) => documents.some((write) => write.kind === kind);

/** From here on nothing answers: whoever started this process ends it. */
async function waitForDeath(): Promise<never> {
  // Somebody who may be told something stays alive.
  process.on("message", () => undefined);
  process.send?.("now");
  return await new Promise<never>(() => {});
}

const commit: Store["commit"] = async (unit) => {
  if (isIt(unit) && when === "before") return await waitForDeath();
  const result = await inner.commit(unit);
  return isIt(unit) ? await waitForDeath() : result;
};
const store = new Proxy<Store>(inner, {
  get: (target, name: keyof Store) =>
    name === "commit" ? commit : (target[name] as (...all: unknown[]) => unknown).bind(target),
});
const about = tool.startsWith("paper.") ? "paper" : "live";
const { calls } = processOn(store, 2, { prices: new Prices(), days: 30, about });
await calls.call(tool, JSON.parse(input) as object, { idempotencyKey: "once" });
