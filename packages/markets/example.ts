import { govern } from "@spfunctions/agent";
import { createMemoryStore } from "@spfunctions/kernel";
import { openMarkets } from "@spfunctions/markets";

// The same seed, the same markets. Without a policy nothing is changed, so this one reads.
const store = createMemoryStore();
const { pack } = await openMarkets({ store, seed: "example", mayCall: async () => false });
const desk = govern({
  packs: [pack],
  store,
  policy: {},
  principal: { accountId: "me", keyId: "desk", scopes: ["read"], kind: "local" },
});
const { output } = await desk.call("markets.screen", { by: "volume", limit: 1 });
console.log(JSON.stringify(output));
await desk.close();
