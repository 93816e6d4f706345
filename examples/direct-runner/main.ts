// An agent's hands: the tools of a platform under a policy of your own, recorded on both sides, and replayed with nothing behind it.
import assert from "node:assert/strict";
import { memoryTrace, SimpleFunctionsAgent } from "@spfunctions/agent";
import { createMemoryStore, newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { openMarkets } from "@spfunctions/markets";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";

// A platform in this process; elsewhere it is new SimpleFunctions({ baseUrl, apiKey: process.env.SF_API_KEY }).
const store = createMemoryStore();
const { pack } = await openMarkets({ store, seed: "example" });
const installation = openInstallation(newInstallationSecret());
const platform = await openPlatform({ store, installation, packs: pack });
const { secret } = await platform.createKey("desk", { name: "agent", scopes: ["read", "write"] });
const client = connectEmbedded(platform, { apiKey: secret });

// The key may write. This agent may only keep lists: what it is for is said here, and judged before anything is sent.
const policy = { maxSideEffect: "user_write", denyTools: ["paper.*", "alerts.create"] } as const;
const trace = memoryTrace();
const agent = new SimpleFunctionsAgent({ client, policy, trace });

const { output } = await agent.call("markets.screen", { by: "volume", limit: 1 });
const [market] = output.items;
assert(market !== undefined);
const kept = await agent.tools.watchlists.add({ name: "busy", tickers: [market.ticker] });
console.log("kept", kept.output.watchlist.name, "under", kept.receipt.hash.slice(0, 23));

// Refused on this side: the platform never hears of it, and the journal has it all the same.
const order = { ticker: market.ticker, side: "yes", action: "buy", quantity: 1 } as const;
const refusal = await agent.call("paper.order", order).catch((error: unknown) => error);
assert(refusal instanceof Error);
console.log(refusal.message);

// The same call as events.
for await (const { type } of agent.stream("calendar.list", { limit: 1 })) console.log(" ", type);
await agent.close();
await platform.close();

// Without a key, a network or a platform: the same answers, and what was not recorded is a miss that calls nobody.
const again = new SimpleFunctionsAgent({ mode: "replayOnly", replay: [trace], policy });
const replayed = await again.call("markets.screen", { by: "volume", limit: 1 });
assert.deepEqual(replayed.output, output);
await assert.rejects(async () => await again.call("markets.screen", { by: "spread" }), {
  code: "replay_miss",
});
await again.close();
