// A page calls tools with a token that its backend lends it: to read, for a minute, from this origin. The key never leaves the backend.
import assert from "node:assert/strict";
import { join } from "node:path";
import { createMemoryStore, newInstallationSecret, openInstallation, systemClock } from "@spfunctions/kernel";
import { openMarkets } from "@spfunctions/markets";
import { connectEmbedded } from "@spfunctions/sdk";
import { listen, openPlatform } from "@spfunctions/server";
import { Hono } from "hono";
import { bundleForBrowser } from "../../packages/contracts/test/bundle-for-browser.ts";
import { isChromiumSkipped, launchChromium } from "../../packages/contracts/test/chromium.ts";

const store = createMemoryStore();
const { pack } = await openMarkets({ store, seed: "example" });
const installation = openInstallation(newInstallationSecret());
let later = 0; // so that nobody waits here for a token to end
const clock = { ...systemClock, now: () => Date.now() + later };
const platform = await openPlatform({ store, installation, packs: pack, clock });
const { secret } = await platform.createKey("shop", { name: "backend", scopes: ["read", "write"] });

// All that a page sends to the backend and gets from it.
const seen: string[] = [];
const app = new Hono().use(async (c, next) => {
  await next();
  seen.push(JSON.stringify(c.req.header()), await c.res.clone().text());
});

// 1. The backend has the key, and lends whoever may see the page a token. Here your app looks who they are, as everywhere.
const sf = connectEmbedded(platform, { apiKey: secret });
app.post("/token", async (c) => c.json(await sf.tokens.create({ origin, ttlSeconds: 60 })));

// 2. The page, its script made by any bundler that makes it for browsers, and the platform below a path of the same origin.
const { code: script } = await bundleForBrowser(join(import.meta.dirname, "page.ts"), "page");
const body = '<button id="read">Read</button><button id="write">Write</button><output></output>';
app.get("/", (c) => c.html(`<!doctype html>${body}<script src="/page.js"></script>`));
app.get("/page.js", (c) => c.body(script, { headers: { "content-type": "text/javascript" } }));
app.mount("/governed", platform.fetch);
const { url: origin, close } = await listen(app, { port: 0 });

if (isChromiumSkipped) console.log("skipped: there is no Chromium here; with CI=true that is a failure");
else await visit();
await close();
await platform.close();

async function visit() {
  await using browser = await launchChromium();
  const page = await browser.newPage();
  const press = async (button: string) => {
    await page.evaluate('document.querySelector("output").replaceChildren()');
    await page.click(button);
    return await page.locator("output:not(:empty)").innerText();
  };

  // 3. What the token is for is answered. What only the key may do is not; and after a minute nothing is, until there is another token.
  await page.goto(origin);
  assert.match(await press("#read"), /^\d+ markets$/);
  assert.equal(await press("#write"), "policy_denied");
  later = 61_000;
  assert.equal(await press("#read"), "invalid_api_key");
  await page.reload();
  assert.match(await press("#read"), /^\d+ markets$/);

  // 4. The token came and went. The key did neither.
  const bytes = seen.join("\n");
  const token = /"token":"([^"]+)"/.exec(bytes)?.[1];
  assert(token !== undefined && bytes.includes(`"authorization":"Bearer ${token}"`));
  assert(!bytes.includes(secret));
  console.log(`the page has read, and written nothing; the key is not among its ${bytes.length} characters`);
}
