// A process that makes one call through an agent on a data folder, and says when it is about to write, or has just written, what
// it is to die at.
import { openSqliteStore } from "@spfunctions/host/store";
import type { Store, Unit } from "@spfunctions/kernel";
import { SimpleFunctions } from "@spfunctions/sdk";
import { SimpleFunctionsAgent } from "@spfunctions/agent";

const [folder = "", baseUrl = "", tool = "", input = "", options = "", kind = "", when = "", nth = "1"] =
  process.argv.slice(2);
let times = 0;
const apiKey = process.env["SF_API_KEY"];
const inner = await openSqliteStore({ folder });
const isIt = ({ appends = [] }: Unit) => {
  if (JSON.stringify(appends).includes(`\\"kind\\":\\"${kind}\\"`)) times += 1;
  return times >= Number(nth);
};

/** From here on nothing answers: whoever started this process ends it. */
async function waitForDeath(): Promise<never> {
  // Somebody who may be told something stays alive.
  process.on("message", () => undefined);
  process.send?.("now");
  return await new Promise<never>(() => {});
}

const commit: Store["commit"] = async (unit) => {
  const isTheOne = isIt(unit);
  if (isTheOne && when === "before") return await waitForDeath();
  const result = await inner.commit(unit);
  return isTheOne ? await waitForDeath() : result;
};
const store = new Proxy<Store>(inner, {
  get: (target, name: keyof Store) =>
    name === "commit" ? commit : (target[name] as (...all: unknown[]) => unknown).bind(target),
});
const agent = new SimpleFunctionsAgent({
  client: new SimpleFunctions({ apiKey, baseUrl }),
  policy: { maxSideEffect: "user_write" },
  store,
});
await agent.call(tool, JSON.parse(input), JSON.parse(options) as object);
