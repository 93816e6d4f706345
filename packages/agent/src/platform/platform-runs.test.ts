// A run that a model drives over a platform's tools: it acts there with what its starter's key lends it, and stops with the key.
import {
  createMemoryStore,
  openInstallation,
  newInstallationSecret,
  Runs,
  type RunsOptions,
} from "@spfunctions/kernel";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Saying, saying, ScriptedModel } from "../../../kernel/test-data/run-desk.ts";
import { classPack, type Deeds } from "../../../server/test-data/class-pack.ts";
import { ask, testPlatform, type Way } from "../../../server/test-data/test-platform.ts";
import { DeskPack } from "../../test-data/desk-pack.ts";
import { type Between, countedClient, recordsOf } from "../../test-data/platform-agent.ts";
import { govern, remotePack } from "../index.ts";

type Terms = {
  readonly way?: Way;
  readonly says: readonly Saying[];
  readonly asks?: boolean;
  readonly between?: Between;
  readonly more?: Partial<RunsOptions>;
};

/** Whatever a policy can allow, this one does. */
const unbounded = {
  maxSideEffect: "live_trade",
  maxCostEffect: "llm_cost",
  allowTools: ["desk.*", "execution.*", "vault.open", "engine.start", "keys.create", "runtime.stop"],
  trade: { allowedVenues: ["kalshi"], maxOrderCostCents: 1000, maxQuantity: 10 },
} as const;

const write = (text: string) => ({ name: "desk.write", args: { text } });

async function scene({ way = "embedded", says, asks = false, between, more }: Terms) {
  const desk = new DeskPack();
  const deeds: Deeds = [];
  const house = await testPlatform(way, { packs: [classPack(deeds), desk.pack] });
  const { key, secret } = await house.platform.createKey("acct_1", {
    scopes: ["read", "write", "trade", "admin"],
    trade: { allowedVenues: ["kalshi"], maxOrderCostCents: 1000, maxQuantity: 10 },
    ...(asks && { approvals: { requireForSideEffectAtOrAbove: "user_write" } }),
  });
  const operator = await house.key("acct_1", { scopes: ["admin"] });
  const { client, sent } = countedClient(house, { way, apiKey: secret, ...(between && { between }) });
  const { tools } = await client.manifest.list({});
  const model = new ScriptedModel(saying(...says));
  const runs = new Runs({
    packs: [remotePack(client, tools)],
    levels: [{ level: "agent", policy: unbounded }],
    principal: {
      accountId: "local",
      keyId: client.credentialId() ?? "",
      scopes: ["read", "write", "trade", "admin"],
      kind: "key",
    },
    agentId: "scribe",
    installation: openInstallation(newInstallationSecret()),
    store: createMemoryStore(),
    model: { adapter: model },
    isStarterValid: async (_, runId) => await client.mayActFor(runId),
    ...more,
  });
  onTestFinished(() => runs.close());
  const revoke = async () => {
    await ask(house, `/api/keys/${key.keyId}`, { key: operator, method: "DELETE" });
  };
  return { desk, deeds, house, secret, operator, client, sent, model, runs, revoke, keyId: key.keyId };
}

describe.each(["socket", "embedded"] as const)("over a platform (%s)", (way) => {
  // proves RUN-4.10, RUN-13.12
  test("what a run calls is there the run's, and the key went along only to borrow", async () => {
    const { house, runs, sent, secret, keyId } = await scene({
      way,
      says: [[write("milk"), write("tea")], "done"],
    });
    const handle = await runs.start({ objective: "take two notes" });
    expect(await handle.wait()).toMatchObject({ status: "completed" });
    const { runId } = handle;
    const intents = (await recordsOf(house.store, "acct_1")).filter((one) => one.kind === "call.intended");
    const own = intents.filter(({ tool }) => tool === "desk.write");
    expect(own).toHaveLength(2);
    for (const { principal, origin } of own) {
      expect(principal).toStrictEqual({
        accountId: "acct_1",
        keyId,
        kind: "run",
        runId,
        scopes: ["read", "write"],
      });
      expect(origin).toBe("model");
    }
    const withKey = sent.filter(({ headers }) => headers.get("authorization") === `Bearer ${secret}`);
    expect(withKey.map(({ what }) => what)).toStrictEqual([`POST /api/runs/${runId}/credential`]);
  });

  test("a person at the platform answers, and the run goes on; its starter's key sees the question, the run does not answer it", async () => {
    const { house, runs, desk, operator } = await scene({ way, asks: true, says: [[write("milk")], "done"] });
    const handle = await runs.start({ objective: "take a note" });
    expect(await handle.wait({ for: "rest" })).toMatchObject({ status: "requires_approval" });
    const listed = await ask(house, "/api/approvals", { key: operator });
    const { items } = (listed.body.ok ? listed.body.data : {}) as {
      items: { approvalId: string; asker: object }[];
    };
    expect(items).toMatchObject([{ asker: { kind: "run", runId: handle.runId } }]);
    expect(desk.runs).toStrictEqual([]);
    const path = `/api/approvals/${items[0]?.approvalId}/answer`;
    const answered = await ask(house, path, { key: operator, body: { answer: "approved" } });
    expect(answered.status).toBe(200);
    expect(await handle.wait()).toMatchObject({ status: "completed" });
    expect(desk.runs).toHaveLength(1);
  });
});

test("what a platform keeps for its owner, and live trades, no model is offered", async () => {
  const { runs, model, house } = await scene({ says: ["done"] });
  await (await runs.start({ objective: "look around" })).wait();
  const offered = model.asked[0]?.tools?.map(({ name }) => name) ?? [];
  expect(offered).toContain("desk.write");
  const kept = house.platform.manifest.tools.filter(({ sideEffect }) =>
    ["secret", "runtime", "live_trade"].includes(sideEffect),
  );
  expect(kept.map(({ name }) => name)).toContain("vault.open");
  for (const { name } of kept) expect(offered).not.toContain(name);
});

test("a model that calls them all the same is refused, and nothing is sent", async () => {
  const order = { venue: "kalshi", side: "yes", quantity: 1, dryRun: true };
  const { runs, sent, deeds } = await scene({
    says: [
      [{ name: "execution.place", args: order }, { name: "vault.open" }, { name: "keys.create" }],
      "done",
    ],
  });
  const handle = await runs.start({ objective: "get rich" });
  await handle.wait();
  expect(deeds).toStrictEqual([]);
  expect(
    sent.filter(({ what }) => !what.startsWith("GET /api/contracts") && !what.endsWith("/credential")),
  ).toStrictEqual([]);
});

test("a run whose starter's key was revoked is stopped, and what it had not begun does not begin", async () => {
  let revoke = async () => {};
  const { runs, desk, ...here } = await scene({
    says: [[write("milk")], [write("tea")], "done"],
    between: async (request, pass) => {
      const response = await pass();
      // Once the first note was written, and before its answer is there.
      if (new URL(request.url).pathname === "/api/desk/write") await revoke();
      return response;
    },
  });
  revoke = here.revoke;
  const handle = await runs.start({ objective: "take two notes" });
  const ended = await handle.wait();
  expect(ended).toMatchObject({ status: "blocked", error: { code: "invalid_api_key" } });
  expect(desk.runs).toHaveLength(1);
});

test("a tool that is called directly goes with the key itself", async () => {
  const { client, sent, secret } = await scene({ says: ["done"] });
  const { tools } = await client.manifest.list({});
  const governed = govern({
    packs: [remotePack(client, tools)],
    policy: { maxSideEffect: "user_write", maxCostEffect: "llm_cost" },
    principal: { accountId: "local", keyId: "k", scopes: ["read", "write"], kind: "key" },
  });
  onTestFinished(() => governed.close());
  await governed.call("desk.write", { text: "milk" });
  const last = sent.at(-1);
  expect([last?.what, last?.headers.get("authorization")]).toStrictEqual([
    "POST /api/desk/write",
    `Bearer ${secret}`,
  ]);
});
