// A2, G3: what keys of one family cannot do for each other, seen from the client that programs use, and for what a run asks.
import { defineTool, SimpleFunctionsAgent } from "@spfunctions/agent";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { createMemoryStore, newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";

const installation = openInstallation(newInstallationSecret());
const shared = { permissions: ["test:use"], costEffect: "none" } as const;

const mail = defineTool({
  ...shared,
  name: "mail.send",
  description: "Sends a letter.",
  input: z.strictObject({ to: z.string() }),
  output: z.strictObject({ to: z.string() }),
  sideEffect: "user_write",
  http: { method: "POST", path: "/api/mail" },
  run: ({ to }) => ({ to }),
});
const web = defineTool({
  ...shared,
  name: "web.fetch",
  description: "Goes where it is sent.",
  input: z.strictObject({ url: z.string() }),
  output: z.strictObject({ reached: z.string() }),
  permissions: ["net"],
  sideEffect: "none",
  costEffect: "api_cost",
  capability: { kind: "net", url: "/url" },
  http: { method: "POST", path: "/api/web" },
  run: async ({ url }, { authorize }) => ({ reached: (await authorize(url)).url }),
});

/** A platform whose policy asks about letters, and not about keys: its operator has allowed that by name. */
async function office() {
  const store = createMemoryStore();
  const platform = await openPlatform({ store, installation, packs: [mail, web] });
  const client = (apiKey: string) => connectEmbedded(platform, { apiKey });
  const first = await platform.createKey("office", { scopes: ["read", "write", "admin"] });
  const other = await platform.createKey("office", { scopes: ["admin"] });
  const made = await client(first.secret).keys.create({ scopes: ["read", "write", "admin"] });
  await platform.close();
  const approvals = { requireForSideEffectAtOrAbove: "user_write" } as const;
  const policy = { maxSideEffect: "user_write", maxCostEffect: "api_cost", approvals } as const;
  const again = await openPlatform({ store, installation, packs: [mail, web], policy });
  onTestFinished(async () => void (await again.close()));
  const [one, two, third] = [first.secret, made.secret, other.secret].map((apiKey) =>
    connectEmbedded(again, { apiKey }),
  );
  if (one === undefined || two === undefined || third === undefined) throw new Error("three keys");
  return { first: one, second: two, other: third };
}

async function errorOf(attempt: Promise<unknown>): Promise<unknown> {
  const thrown: unknown = await attempt.catch((error: unknown) => error);
  return isSimpleFunctionsError(thrown) ? [thrown.code, thrown.details?.["reason"]] : thrown;
}

const refused = ["forbidden", "key_family"];

test("in the client, a second key approves nothing that the key which made it asks through an agent", async () => {
  const { first, second, other } = await office();
  const agent = new SimpleFunctionsAgent({
    client: first,
    policy: { maxSideEffect: "user_write" },
    asking: "wait",
  });
  const call = agent.stream("mail.send", { to: "bank" });
  for await (const event of call) {
    if (event.type !== "approval.required") continue;
    for (const answer of ["approved", "denied"] as const)
      expect(await errorOf(second.approvals.answer(event.approvalId, { answer }))).toStrictEqual(refused);
    await other.approvals.answer(event.approvalId, { answer: "approved" });
  }
  expect((await call.result).output).toStrictEqual({ to: "bank" });
  await agent.close();
});

test("in the client, neither key grants what a run of one of them wishes for, by its id or by name", async () => {
  const { first, second, other } = await office();
  const run = first.forRun("run_0123456789");
  const url = "https://api.example.com/";
  expect(await errorOf(run.call("web.fetch", { url }))).toMatchObject(["capability_denied", undefined]);
  const wishes = [];
  for await (const one of other.grants.list({ status: "pending" })) wishes.push(one);
  const [wish] = wishes;
  const grantId = wish?.grantId ?? "";
  expect(wish).toMatchObject({ capability: "net:api.example.com", asker: { kind: "run" } });
  expect(await errorOf(second.grants.answer(grantId, { answer: "granted" }))).toStrictEqual(refused);
  expect(await errorOf(first.grants.answer(grantId, { answer: "granted" }))).toStrictEqual([
    "forbidden",
    "own_question",
  ]);
  for (const client of [first, second])
    for (const capability of ["net:api.example.com", "net:*.example.com", "net"])
      expect(await errorOf(client.grants.grant({ capability }))).toStrictEqual(refused);
  await other.grants.answer(grantId, { answer: "granted" });
  expect(await run.call("web.fetch", { url })).toStrictEqual({ reached: url });
});
