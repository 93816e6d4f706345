// One life of the program whose data an old store holds: `fill-old-store.ts <life> <folder or URL>`. Lives that are killed say `ready` when
// they may be. What is learnt on the way (ids, keys) goes to standard output, one JSON object a line.
import { openPostgresStore, openSqliteStore } from "@spfunctions/host/store";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { type Clock, type Store, systemClock } from "@spfunctions/kernel";
import { openMarkets } from "@spfunctions/markets";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform, type Platform } from "@spfunctions/server";
import {
  club,
  day,
  desk,
  installation,
  office,
  officeTools,
  openAgent,
  openDesk,
  openRuntime,
  openWorld,
  operatorOf,
  past,
} from "./house.ts";

const [life = "", place = ""] = process.argv.slice(2);
const clock: Clock = systemClock;
const store: Store = place.startsWith("postgres:")
  ? await openPostgresStore({ url: place })
  : await openSqliteStore({ folder: place });

const note = (facts: object) => process.stdout.write(`${JSON.stringify(facts)}\n`);

/** The approval that a refused call asks for. */
async function approvalOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (!isSimpleFunctionsError(error) || error.code !== "approval_required") throw error;
  return String(error.details?.["approvalId"]);
}

async function callDirectly(): Promise<void> {
  const world = openWorld();
  const plain = openDesk(store, office, clock, world);
  await plain.call("notes.read", {});
  await plain.call("notes.put", { text: "claimed" }, { idempotencyKey: "claim-1" });
  await plain.call("notes.once", { text: "once" });
  const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  await plain.call("notes.put", { text: `with a secret ${token}` });
  await plain.close();

  const operator = operatorOf(store, office, clock);
  const asks = openDesk(store, office, clock, world, { asks: true, sessionId: "monday" });
  const used = await approvalOf(asks.call("notes.put", { text: "approved and used" }));
  await operator.approve(used);
  await asks.call("notes.put", { text: "approved and used" });
  const denied = await approvalOf(asks.call("notes.put", { text: "denied" }));
  await operator.deny(denied, { note: "no" });
  const approved = await approvalOf(asks.call("notes.put", { text: "approved and unused" }));
  await operator.approve(approved);
  const open = await approvalOf(asks.call("notes.put", { text: "asked" }));
  const session = await approvalOf(asks.call("notes.once", { text: "for the session" }));
  await operator.approveForSession(session, { fixed: [], maxUses: 5, forMs: 30 * day });
  await asks.call("notes.once", { text: "for the session" });
  note({ used, denied, approved, open, session });

  const lasting = { scope: "until", forMs: 30 * day } as const;
  const granted = await operator.capabilities.grant("net:www.example.com", lasting);
  const revoked = await operator.capabilities.grant("net:old.example.com", lasting);
  await operator.capabilities.revoke(revoked.grantId);
  const wish = await asks.askFor("net:wished.example.com", { reason: "to read it" });
  if (wish.type !== "asked") throw new Error("the wish was not asked");
  await asks.call("web.fetch", { url: "https://www.example.com/" });
  note({ grant: granted.grantId, revokedGrant: revoked.grantId, wish: wish.grant.grantId });
  await asks.close();
  await operator.close();
}

async function startRuns(): Promise<void> {
  const runtime = openRuntime(store, office, clock, openWorld());
  const operator = operatorOf(store, office, clock);
  const completed = await runtime.run({ objective: "story-write", sessionId: "tuesday" });
  const asked = await runtime.run({ objective: "story-ask" });
  await operator.approve(asked.approvals[0]?.approvalId ?? "");
  const answered = await runtime.resume(asked.runId);
  const cancelled = await runtime.run({ objective: "story-ask" });
  await runtime.cancel(cancelled.runId);
  await runtime.resume(cancelled.runId);
  const withChild = await runtime.run({ objective: "story-with-child" });
  const blocked = await runtime.run({ objective: "story-write", maxSteps: 1 });
  const waiting = await runtime.run({ objective: "story-ask" });
  const waitingAfterChild = await runtime.run({ objective: "story-ask-more" });
  const waitingChild = await runtime.run({ objective: "story-child-asks" });
  note({
    ended: [completed.runId, answered.runId, cancelled.runId, blocked.runId],
    endedAs: [completed.status, answered.status, "cancelled", blocked.status],
    endedWithChild: withChild.runId,
    endedChild: withChild.children?.[0]?.runId,
    waiting: waiting.runId,
    waitingAfterChild: waitingAfterChild.runId,
    waitingChild: waitingChild.runId,
    waitingAs: [waiting.status, waitingAfterChild.status, waitingChild.status],
  });
  await runtime.close();
  await operator.close();
}

async function talk(): Promise<void> {
  const agent = openAgent(store, clock);
  const session = await agent.open("monday");
  const tea = await agent.memory.remember({
    text: "The club serves tea on Sundays.",
    source: { type: "user" },
  });
  const gone = await agent.memory.remember({ text: "The club burns down.", source: { type: "user" } });
  await agent.memory.forget(gone.memoryId);
  await session.turn("When shall we go?");
  const { revision } = await session.turn("What should we bring?");
  await session.turn("Who bakes?");
  await session.undo(revision);
  note({ revision, memory: tea.memoryId, forgotten: gone.memoryId });
  await agent.close();
}

async function serve(): Promise<void> {
  let platform: Platform | undefined;
  const markets = await openMarkets({
    store,
    clock,
    seed: "old stores",
    series: 4,
    mayCall: async (...key) => (await platform?.mayCall(...key)) ?? false,
  });
  platform = await openPlatform({ store, installation, clock, packs: [markets.pack] });
  const approvals = { requireForSideEffectAtOrAbove: "user_write", ttlMs: 30 * day } as const;
  const key = async (name: string, more: object) =>
    await (platform as Platform).createKey(desk, { name, scopes: ["read", "write"], ...more });
  const admin = await key("anna", { scopes: ["admin"] });
  const agent = await key("agent", { approvals });
  const trade = {
    allowedVenues: ["embedded"],
    maxOrderCostCents: 2000,
    maxQuantity: 50,
    dryRunOnly: false,
    allowAutoExecute: true,
  };
  const trader = await key("trader", { scopes: ["trade"], trade });
  const ended = await key("ended", {});
  const anna = connectEmbedded(platform, { apiKey: admin.secret });
  await anna.keys.revoke({ keyId: ended.key.keyId });
  const made = await anna.keys.create({ name: "made by anna", scopes: ["admin"] });
  const rotated = await anna.keys.rotate({ keyId: made.key.keyId });

  const trading = connectEmbedded(platform, { apiKey: trader.secret });
  const { items } = await trading.markets.screen({ by: "volume", limit: 10 });
  const market = items.find(
    ({ askCents, status }) => status !== "closed" && askCents !== null && askCents > 10,
  );
  if (market === undefined) throw new Error("no market is open");
  const asking = connectEmbedded(platform, { apiKey: agent.secret });
  const watch = async (name: string) => await asking.watchlists.add({ name, ticker: market.ticker });
  const open = await approvalOf(watch("asked"));
  const approved = await approvalOf(watch("approved"));
  await anna.approvals.answer(approved, { answer: "approved" });
  const grant = await anna.grants.grant({
    capability: "net:example.com",
    scope: "until",
    forMs: 30 * day,
  });
  await anna.call("runtime.stop", {});

  const facts = {
    venue: "embedded",
    ticker: market.ticker,
    action: "buy",
    side: "yes",
    quantity: 5,
    limitPriceCents: 9,
    trigger: { when: "ask_at_or_below", priceCents: 5 },
  } as const;
  const writing = connectEmbedded(platform, { apiKey: (await key("writer", {})).secret });
  const { intent: draft } = await writing.intents.create(facts);
  const { intent } = await writing.intents.create(facts);
  const armed = await trading.execution.place(
    { ...facts, intentId: intent.intentId, dryRun: false, autoExecute: true },
    { idempotencyKey: "arm-1" },
  );
  const watchlist = await writing.watchlists.add({ name: "kept", ticker: market.ticker });
  note({
    keys: {
      admin: { keyId: admin.key.keyId, secret: admin.secret },
      agent: { keyId: agent.key.keyId, secret: agent.secret },
      trader: { keyId: trader.key.keyId, secret: trader.secret },
      ended: { keyId: ended.key.keyId, secret: ended.secret },
      made: { keyId: made.key.keyId, secret: made.secret },
      rotated: { keyId: rotated.key.keyId, secret: rotated.secret },
    },
    platformOpen: open,
    platformApproved: approved,
    platformGrant: grant.grantId,
    draft: draft.intentId,
    armed: intent.intentId,
    armedAs: armed.intent?.state,
    ticker: market.ticker,
    watchlist: watchlist.name,
  });
  await platform.close();
}

/** Begins what a crash then interrupts: direct calls of every sort, and runs with children. */
async function hangIn(accountId: string): Promise<never> {
  const expected = accountId === past ? 4 : 7;
  let hanging = 0;
  const allHang = Promise.withResolvers<void>();
  const isHanging = () => {
    if (++hanging === expected) allHang.resolve();
    return new Promise<never>(() => {});
  };
  const world = openWorld(isHanging);
  const direct = openDesk(store, accountId, clock, world);
  direct.call("notes.once", { text: "hang direct" }).catch(() => undefined);
  direct
    .call("notes.put", { text: "hang direct keyed" }, { idempotencyKey: "claim-2" })
    .catch(() => undefined);
  const held = openDesk(store, accountId, clock, world, { evaluatePostTool: isHanging });
  held.call("notes.once", { text: "held" }).catch(() => undefined);
  const runtime = openRuntime(store, accountId, clock, world);
  const objectives =
    accountId === past
      ? ["story-hang-plain"]
      : ["story-hang-plain", "story-hang-read", "story-hang-child", "story-hang-keyed"];
  for (const objective of objectives) {
    const stream = runtime.runStream({ objective });
    stream.result.catch(() => undefined);
    // oxlint-disable-next-line no-await-in-loop -- in the order of the list
    note({ interrupted: { [objective]: await stream.runId } });
  }
  await allHang.promise;
  process.stdout.write("ready\n");
  // A timer alone keeps the process alive until it is killed.
  setInterval(() => undefined, 1000);
  return await new Promise<never>(() => {});
}

/** Another process finds what the crash left in one account, and settles what can be settled. */
async function settle(): Promise<void> {
  const direct = openDesk(store, past, clock, openWorld());
  await direct.recover();
  const runtime = openRuntime(store, past, clock, openWorld());
  for (const runId of await runtime.open()) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { status } = await runtime.resume(runId);
    note({ pastRun: runId, pastStatus: status });
  }
  note({ pastUnknown: (await direct.unknown()).map(({ effectId }) => effectId) });
  await runtime.close();
  await direct.close();
}

if (life === "ends") {
  await callDirectly();
  await startRuns();
  await talk();
  await serve();
  note({ accounts: [office, past, club, desk], tools: officeTools(openWorld()).length });
} else if (life === "settles") await settle();
else await hangIn(life === "dies in the past" ? past : office);
await store.close();
