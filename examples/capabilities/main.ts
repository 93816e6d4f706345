// What a tool may reach is an operator's to say: refused, granted once, used up, granted for an hour, revoked.
import assert from "node:assert/strict";
import { defineTool, govern } from "@spfunctions/agent";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import {
  createMemoryStore,
  newInstallationSecret,
  openInstallation,
  openOperator,
} from "@spfunctions/kernel";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";
import { z } from "zod";

/** A web of two pages, the first of which sends whoever comes on to the second. */
const web: Record<string, { moved?: string; text?: string }> = {
  "https://example.com/": { moved: "https://www.example.com/start" },
  "https://www.example.com/start": { text: "welcome" },
};

const fetchPage = defineTool({
  name: "web.fetch",
  description: "Fetches a page.",
  input: z.strictObject({ url: z.string() }),
  output: z.strictObject({ text: z.string() }),
  permissions: ["net"],
  sideEffect: "none",
  costEffect: "api_cost",
  // Where it is sent stands at /url of its input: without a grant for that it does not even begin.
  capability: { kind: "net", url: "/url" },
  http: { method: "POST", path: "/api/web" },
  run: async ({ url }, context) => {
    for (let next: string | undefined = url, hops = 0; next !== undefined && hops < 5; hops++) {
      // Before every request, each hop of a redirect too. What is fetched is what was authorized, and nothing else.
      // oxlint-disable-next-line no-await-in-loop -- one hop after the other
      const reach = await context.authorize(next);
      const page: { moved?: string; text?: string } = web[reach.url] ?? {};
      if (page.text !== undefined) return { text: page.text };
      next = page.moved;
    }
    throw new Error("there is no such page");
  },
});

const store = createMemoryStore();
const office = govern({
  packs: [fetchPage],
  policy: {},
  principal: { accountId: "office", keyId: "agent", scopes: ["read"], kind: "local" },
  store,
  network: { allowHosts: ["example.com", "*.example.com"] },
});
// Whoever puts the program together makes the operator, and gives it to nothing that the agent could reach.
const operator = openOperator({
  store,
  principal: { accountId: "office", keyId: "anna", scopes: ["admin"], kind: "operator" },
});
const start = { url: "https://www.example.com/start" };

// 1. Without a grant it is refused, and says what it lacks.
const refused: unknown = await office.call("web.fetch", start).catch((error: unknown) => error);
assert(isSimpleFunctionsError(refused) && refused.code === "capability_denied");
console.log(refused.message);
assert.equal(refused.details?.["capability"], "net:www.example.com");

// 2. Granted once, it is used up by the one call.
const once = await operator.capabilities.grant("net:www.example.com");
assert.equal((await office.call("web.fetch", start)).output.text, "welcome");
await assert.rejects(() => office.call("web.fetch", start), { code: "capability_denied" });
const [used] = await operator.capabilities.list({ status: "used" });
assert.equal(used?.grantId, once.grantId);

// 3. An agent asks in its own words, with what it had read just before. Nothing is reached by asking.
const asked = await office.askFor("net:example.com", {
  reason: "to read the front page",
  readBefore: ["mail from a stranger: everything is at example.com"],
});
assert(asked.type === "asked");
const [question] = await operator.capabilities.list({ status: "pending" });
console.log(
  `${question?.asker?.keyId} asks for ${question?.capability}, after ${question?.readBefore?.join()}`,
);
const hour = { scope: "until", forMs: 3_600_000, note: "for the manual" } as const;
const granted = await operator.capabilities.grant(asked.grant.grantId, hour);

// A redirect needs what lasts: the first page may be fetched, and where it sends on to may not, yet.
const front = { url: "https://example.com/" };
await assert.rejects(() => office.call("web.fetch", front), { code: "capability_denied" });
await operator.capabilities.grant("net:*.example.com", hour);
assert.equal((await office.call("web.fetch", front)).output.text, "welcome");

// 4. Revoked, nothing is reached by it from then on, also by calls that are under way.
await operator.capabilities.revoke(granted.grantId);
await assert.rejects(() => office.call("web.fetch", front), { code: "capability_denied" });

// 5. No grant lifts the floor.
await operator.capabilities.grant("net", hour);
const outOfReach = ["http://127.0.0.1/", "http://[::1]/", "file:///etc/passwd", "https://example.com:22/"];
const tries = await Promise.allSettled(outOfReach.map((url) => office.call("web.fetch", { url })));
assert(tries.every(({ status }) => status === "rejected"));
await office.close();
await operator.close();

// 6. The same at a platform, through the client.
const platform = await openPlatform({
  store: createMemoryStore(),
  installation: openInstallation(newInstallationSecret()),
  packs: [fetchPage],
});
const key = await platform.createKey("office", { name: "agent", scopes: ["read"] });
const admin = await platform.createKey("office", { name: "anna", scopes: ["admin"] });
const agent = connectEmbedded(platform, { apiKey: key.secret });
const anna = connectEmbedded(platform, { apiKey: admin.secret });
await assert.rejects(agent.call("web.fetch", start, { origin: "model" }), { code: "capability_denied" });
for await (const { grantId, capability } of anna.grants.list({ status: "pending" })) {
  console.log("asked at the platform:", capability);
  await anna.grants.answer(grantId, { answer: "granted", note: "this once" });
}
assert.deepEqual(await agent.call("web.fetch", start), { text: "welcome" });
await platform.close();
