// The platform in an app of your own: its routes below one of yours, in one process, on one port; and a client that needs no socket.
import assert from "node:assert/strict";
import { createMemoryStore, defineTool, newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { connectEmbedded, SimpleFunctions } from "@spfunctions/sdk";
import { listen, openPlatform } from "@spfunctions/server";
import { Hono } from "hono";
import { z } from "zod";

const sold: string[] = [];
const sell = defineTool({
  name: "shop.sell",
  description: "Sells an article.",
  input: z.strictObject({ article: z.string() }),
  output: z.strictObject({ sold: z.int() }),
  permissions: ["shop:write"],
  sideEffect: "user_write",
  costEffect: "none",
  http: { method: "POST", path: "/api/sales" },
  run: ({ article }) => ({ sold: sold.push(article) }),
});

// Gone with this process. What stays: openSqliteStore({ folder }) of @spfunctions/host/store, loadInstallation() of @spfunctions/host/installation.
const platform = await openPlatform({
  store: createMemoryStore(),
  installation: openInstallation(newInstallationSecret()),
  packs: [sell],
  allowedHosts: ["shop.example"], // the names that your app is reached by; those of this machine are
});
const { secret } = await platform.createKey("shop", { name: "app", scopes: ["read", "write"] });

// 1. Your app, as it was. What it has done for it is judged and journaled like everything else, without a socket.
const inside = connectEmbedded(platform, { apiKey: secret });
const app = new Hono();
app.get("/", (c) => c.text("The corner shop"));
app.post("/checkout/:article", async (c) => {
  const { data, receipt } = await inside.call("shop.sell", { article: c.req.param("article") }).withReceipt();
  return c.json({ data, proof: receipt?.hash });
});

// 2. The platform below a path: its tools, keys, approvals and events.
app.mount("/governed", platform.fetch);
const { url, close } = await listen(app, { port: 0 });

// 3. A visitor sees your app; another program calls the tools, with a key and under its law.
assert.equal(await (await fetch(url)).text(), "The corner shop");
const checkout = await fetch(`${url}/checkout/apples`, { method: "POST" });
console.log("the app:", await checkout.json());
const outside = new SimpleFunctions({ baseUrl: `${url}/governed`, apiKey: secret });
console.log("from outside:", await outside.call("shop.sell", { article: "pears" }));
assert.deepEqual(sold, ["apples", "pears"]);

// 4. Without a key nothing is sold; and what is not below that path is none of the platform's business.
const stranger = { method: "POST", headers: { "content-type": "application/json" }, body: '{"article":"x"}' };
assert.equal((await fetch(`${url}/governed/api/sales`, stranger)).status, 401);
assert.equal((await fetch(`${url}/api/sales`, stranger)).status, 404);
assert.equal(sold.length, 2);

// Both at once: nothing new comes, event streams end with the platform, what is under way ends, and the journal is sealed.
await Promise.all([close(), platform.close()]);
