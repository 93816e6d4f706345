// A test that was recorded once: its answers lie beside it, and nothing is asked live again. SF_RECORD=all records it anew.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { defineTool, type Governed } from "@spfunctions/agent";
import { useFixture } from "@spfunctions/agent/testing";
import { z } from "zod";

let asked = 0;
const price = defineTool({
  name: "shop.price",
  description: "Asks the supplier what an article costs.",
  input: z.strictObject({ article: z.string() }),
  output: z.strictObject({ cents: z.int() }),
  permissions: [],
  sideEffect: "none",
  costEffect: "api_cost",
  run: ({ article }) => {
    asked += 1;
    return { cents: article === "apples" ? 120 : 90 };
  },
});

/** What is tested. It takes what it calls with, as it would a clock. */
async function cheapest(shop: Pick<Governed<[typeof price]>, "call">, articles: readonly string[]) {
  const prices = await Promise.all(articles.map((article) => shop.call("shop.price", { article })));
  const cents = prices.map(({ output }) => output.cents);
  return articles[cents.indexOf(Math.min(...cents))];
}

await test("finds the cheapest article", async (t) => {
  const shop = await useFixture(t, {
    packs: [price],
    policy: {},
    principal: { accountId: "corner-shop", keyId: "tests", scopes: ["read"], kind: "local" },
    unused: "fail",
  });
  assert.equal(await cheapest(shop, ["apples", "pears"]), "pears");
  if (shop.fixture.mode === "record") return;

  // The supplier was not asked, and whatever else the code asks for is a miss that says what was recorded.
  assert.equal(asked, 0);
  await assert.rejects(shop.call("shop.price", { article: "plums" }), {
    code: "replay_miss",
    message: /\/article: recorded "apples", asked "plums"/,
  });
});
