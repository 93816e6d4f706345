// Old data opens: what an earlier version left goes on with the program as it is. Each test opens a copy of its own.
import { afterEach, describe, expect, test } from "vitest";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { connectEmbedded } from "@spfunctions/sdk";
import { openMarkets } from "@spfunctions/markets";
import { type Clock, verifyAccount } from "@spfunctions/kernel";
import { openPlatform, type Platform } from "@spfunctions/server";
import { describePostgres } from "../../packages/host/test/describe-postgres.ts";
import {
  club,
  desk,
  installation,
  office,
  openAgent,
  openDesk,
  openRuntime,
  openWorld,
  operatorOf,
  past,
  type Shown,
} from "./house.ts";
import { type OldStore, openOldPostgres, openOldSqlite } from "./open-old-store.ts";

const codeOf = (error: unknown) => (isSimpleFunctionsError(error) ? error.code : error);
const refusalOf = async (call: Promise<unknown>) =>
  codeOf(
    await call.then(
      () => "it went well",
      (error: unknown) => error,
    ),
  );

function testOldStore(open: () => Promise<OldStore>): void {
  const opened: OldStore[] = [];
  const openOld = async () => {
    const old = await open();
    opened.push(old);
    return old;
  };
  afterEach(async () => {
    for (const { store, remove } of opened.splice(0)) {
      await store.close();
      await remove();
    }
  });

  test("every account verifies, before and after what was left is settled", async () => {
    const { store, facts, clock } = await openOld();
    const statusOf = async (accountId: string) => (await verifyAccount(store, accountId)).status;
    const before = await Promise.all(facts.accounts.map(statusOf));
    // Runs that wait have no end yet, and neither has the segment of the process that was killed.
    expect(before).toStrictEqual(["open", "open", "ok", "ok"]);
    for (const accountId of facts.accounts) {
      const calls = openDesk(store, accountId, clock, openWorld());
      await calls.recover();
      await calls.close();
    }
    const runtime = openRuntime(store, office, clock, openWorld());
    await runtime.open();
    await runtime.close();
    const after = await Promise.all(facts.accounts.map((accountId) => verifyAccount(store, accountId)));
    for (const { missing, unfit, segments } of after) {
      expect([missing, unfit]).toStrictEqual([[], []]);
      expect(segments.filter(({ verification }) => verification.status === "broken")).toStrictEqual([]);
    }
  });

  test("effects that were unknown are still listed, and those that the last crash left are found", async () => {
    const { store, facts, clock } = await openOld();
    const world = openWorld();
    const settled = openDesk(store, past, clock, world);
    expect((await settled.unknown()).map(({ effectId }) => effectId).toSorted()).toStrictEqual(
      facts.pastUnknown.toSorted(),
    );
    // That of a run is the run's to resolve.
    const direct = facts.pastUnknown.find((effectId) => !effectId.includes(facts.pastRun.slice(4)));
    await settled.resolve(direct ?? "", { status: "completed", note: "seen" });
    expect(await settled.unknown()).toHaveLength(facts.pastUnknown.length - 1);
    await settled.close();

    const crashed = openDesk(store, office, clock, world);
    await crashed.recover();
    const tools = (await crashed.unknown()).map(({ tool }) => tool);
    expect(tools.filter((tool) => tool === "notes.once")).not.toStrictEqual([]);
    expect(world.did.filter((text) => text === "hang direct")).toStrictEqual([]);
    await crashed.close();
  });

  test("what was held for a policy about outputs is given to nobody before one has answered, and its tool does not run again", async () => {
    const { store, clock } = await openOld();
    const world = openWorld();
    const isHeld = ({ tool, outcome }: { tool: string; outcome: string }) =>
      tool === "notes.once" && outcome === "left";
    for (const accountId of [past, office]) {
      const without = openDesk(store, accountId, clock, world);
      const left = (await without.recover()).settled.filter(isHeld);
      expect(left).toMatchObject([{ reason: expect.stringContaining("held for a policy of the host's") }]);
      const [{ callId } = { callId: "" }] = left;
      await without.close();

      const asked: unknown[] = [];
      const withPolicy = openDesk(store, accountId, clock, world, {
        evaluatePostTool: ({ input, output }) => {
          asked.push([input, output]);
          return { outcome: accountId === past ? "allow" : "deny" };
        },
      });
      const { settled } = await withPolicy.recover();
      expect(settled.filter((one) => one.callId === callId)).toMatchObject([
        { outcome: accountId === past ? "released" : "withheld", by: "policy" },
      ]);
      expect(asked).toStrictEqual([[{ text: "held" }, { count: expect.any(Number) as number }]]);
      await withPolicy.close();
      const later = openDesk(store, accountId, clock, world);
      expect((await later.recover()).settled.filter((one) => one.callId === callId)).toStrictEqual([]);
      await later.close();
    }
    expect(world.did).not.toContain("held");
  });

  test("a claimed key gives the recorded answer, and its call does not run again", async () => {
    const { store, clock } = await openOld();
    const world = openWorld();
    const calls = openDesk(store, office, clock, world);
    const again = await calls.call("notes.put", { text: "claimed" }, { idempotencyKey: "claim-1" });
    expect([again.replayed, again.output]).toStrictEqual([true, { count: 1 }]);
    const other = calls.call("notes.put", { text: "another" }, { idempotencyKey: "claim-1" });
    expect(await refusalOf(other)).toBe("idempotency_conflict");
    // The one call that the crash interrupted is made again under its key, as its tool allows.
    expect(world.did).toStrictEqual(["hang direct keyed"]);
    await calls.close();
  });

  test("a yes that was not used lets its call run once, and an open question is answered", async () => {
    const { store, facts, clock } = await openOld();
    const world = openWorld();
    const calls = openDesk(store, office, clock, world, { asks: true, sessionId: "monday" });
    const operator = operatorOf(store, office, clock);
    const { receipt } = await calls.call("notes.put", { text: "approved and unused" });
    expect(receipt.approvalId).toBe(facts.approved);
    for (const text of ["approved and unused", "approved and used"])
      expect(await refusalOf(calls.call("notes.put", { text }))).toBe("approval_required");
    expect(await refusalOf(calls.call("notes.put", { text: "denied" }))).toBe("approval_denied");
    await operator.approve(facts.open);
    expect((await calls.call("notes.put", { text: "asked" })).receipt.approvalId).toBe(facts.open);
    expect(world.did).toStrictEqual(["approved and unused", "asked"]);
    await calls.close();
    await operator.close();
  });

  test("a standing grant covers what is left of it", async () => {
    const { store, clock } = await openOld();
    const world = openWorld();
    const calls = openDesk(store, office, clock, world, { asks: true, sessionId: "monday" });
    const text = "for the session";
    // One use of five was made before.
    for (let use = 0; use < 4; use++) await calls.call("notes.once", { text });
    expect(await refusalOf(calls.call("notes.once", { text }))).toBe("approval_required");
    expect(world.did).toStrictEqual([text, text, text, text]);
    await calls.close();
  });

  test("what was granted is reached, what was revoked is not, and a wish is still open", async () => {
    const { store, facts, clock } = await openOld();
    const calls = openDesk(store, office, clock, openWorld(), { sessionId: "monday" });
    const operator = operatorOf(store, office, clock);
    const fetch = (host: string) => calls.call("web.fetch", { url: `https://${host}/` });
    expect((await fetch("www.example.com")).output).toStrictEqual({ text: "https://www.example.com/" });
    expect(await refusalOf(fetch("old.example.com"))).toBe("capability_denied");
    expect((await operator.capabilities.list({ status: "pending" })).map(({ grantId }) => grantId)).toContain(
      facts.wish,
    );
    await operator.capabilities.grant(facts.wish, { scope: "once" });
    expect((await fetch("wished.example.com")).output).toStrictEqual({ text: "https://wished.example.com/" });
    await calls.close();
    await operator.close();
  });

  test("runs that had ended give the same results", async () => {
    const { store, facts, clock } = await openOld();
    const world = openWorld();
    const runtime = openRuntime(store, office, clock, world);
    const results = [];
    for (const runId of facts.ended.slice(0, 3)) results.push(await runtime.resume(runId));
    expect(results.map(({ status }) => status)).toStrictEqual(facts.endedAs.slice(0, 3));
    expect(results[0]?.output).toBe("it is written");
    expect(world.did).toStrictEqual([]);
    await runtime.close();
  });

  test("a run that had ended with a child tells of it, and the child gives the same result", async () => {
    const { store, facts, clock } = await openOld();
    const world = openWorld();
    const runtime = openRuntime(store, office, clock, world);
    const result = await runtime.resume(facts.endedWithChild);
    expect([result.status, result.output]).toStrictEqual(["completed", "the child read it"]);
    expect(result.children).toMatchObject([
      { runId: facts.endedChild, subagent: "subagent.reader", status: "completed" },
    ]);
    const child = await (await runtime.get(facts.endedChild)).result();
    expect([child.status, child.output, world.did]).toStrictEqual(["completed", "the child has read", []]);
    await runtime.close();
  });

  test("a run that waited goes on with exactly the call that a person has approved", async () => {
    const { store, facts, clock } = await openOld();
    const world = openWorld();
    const runtime = openRuntime(store, office, clock, world);
    const operator = operatorOf(store, office, clock);
    // Nobody is asked anew: these are the questions of then.
    const asked = new Set((await operator.list()).map(({ approvalId }) => approvalId));
    for (const [runId, text, output] of [
      [facts.waiting, "run asked for this", "it is written, after a yes"],
      [facts.waitingAfterChild, "run asked for more", "the child read, and it is written"],
      [facts.waitingChild, "a child asked for this", "the child has answered"],
    ] as const) {
      world.did.length = 0;
      const rest = await runtime.resume(runId);
      expect(rest.status).toBe("requires_approval");
      const questions = await operator.list();
      const question = questions.find(
        ({ input }) => (input as { text?: string }).text === text && input !== undefined,
      );
      expect(question).toBeDefined();
      expect(rest.approvals.map(({ approvalId }) => asked.has(approvalId))).toStrictEqual([true]);
      for (const { approvalId } of rest.approvals) await operator.approve(approvalId);
      const result = await runtime.resume(runId);
      expect([result.status, result.output, world.did]).toStrictEqual(["completed", output, [text]]);
    }
    await runtime.close();
    await operator.close();
  });

  test("runs that a crash interrupted go on, and nothing that may have happened is done again", async () => {
    const { store, facts, clock } = await openOld();
    const world = openWorld();
    const runtime = openRuntime(store, office, clock, world);
    const { interrupted } = facts;
    const taken = await runtime.open();
    expect(taken.toSorted()).toStrictEqual(expect.arrayContaining(Object.values(interrupted).toSorted()));
    const results = new Map<string, unknown[]>();
    for (const [story, runId] of Object.entries(interrupted)) {
      const { status, output, unknownEffects } = await runtime.resume(runId);
      results.set(story, [status, output ?? unknownEffects?.length]);
    }
    expect(Object.fromEntries(results)).toStrictEqual({
      // A read is made again. A write that honours its key, too; of another nobody knows.
      "story-hang-read": ["completed", "read, and written"],
      "story-hang-child": ["completed", "the child came back"],
      "story-hang-keyed": ["completed", "written once"],
      "story-hang-plain": ["recovery_needed", 1],
    });
    expect(world.did.toSorted()).toStrictEqual(["after child", "after hang", "hang keyed"]);
    const plain = interrupted["story-hang-plain"] ?? "";
    const [effectId = ""] = (await runtime.resume(plain)).unknownEffects ?? [];
    await runtime.resolve(plain, effectId, { status: "failed", note: "it was not written" });
    expect((await runtime.resume(plain)).status).toBe("completed");
    await runtime.close();
  });

  test("a run that needed recovery, and was settled as unknown by an old process, still does", async () => {
    const { store, facts, clock } = await openOld();
    const runtime = openRuntime(store, past, clock, openWorld());
    const { status, unknownEffects = [] } = await runtime.resume(facts.pastRun);
    expect([status, unknownEffects.length]).toStrictEqual(["recovery_needed", 1]);
    await runtime.close();
  });

  test("a long-lived session goes on with its notes and memories", async () => {
    const { store, facts, clock } = await openOld();
    const shown: Shown = [];
    const agent = openAgent(store, clock, shown);
    const session = await agent.open("monday");
    expect((await session.verify()).isWhole).toBe(true);
    const { state } = await session.checkpoint();
    expect([state.goals, state.decisions, state.openLoops]).toStrictEqual([
      ["visit the club"],
      ["go on Sunday"],
      ["who bakes?"],
    ]);
    const { hits } = await agent.memory.retrieve({ text: "is there tea?" });
    expect(hits.map(({ item }) => item.memoryId)).toStrictEqual([facts.memory]);
    await session.turn("Who bakes, and is there tea?");
    expect((await session.checkpoint()).state.decisions).toStrictEqual(["go on Sunday", "Anna bakes"]);
    expect(shown[0]).toContain("serves tea on Sundays");
    expect(shown[0]).not.toContain("burns down");
    expect((await session.verify()).isWhole).toBe(true);
    await agent.close();
  });

  test("a platform's keys, questions, grants and orders are as they were", async () => {
    const { store, facts, clock } = await openOld();
    let platform: Platform | undefined;
    let rounds = 0;
    const roundMs = 77_777;
    const counting: Clock = {
      ...clock,
      after: (ms, act) => {
        if (ms === roundMs) rounds++;
        return clock.after(ms, act);
      },
    };
    const markets = await openMarkets({
      store,
      clock: counting,
      seed: "old stores",
      series: 4,
      installation,
      mayCall: async (...key) => (await platform?.mayCall(...key)) ?? false,
      fire: async (order) => await platform?.callOrdered(order),
    });
    platform = await openPlatform({ store, installation, clock, packs: [markets.pack] });
    const as = (name: keyof typeof facts.keys) =>
      connectEmbedded(platform, { apiKey: facts.keys[name].secret });
    expect(await refusalOf((async () => await as("ended").watchlists.list())())).toBe("invalid_api_key");
    expect((await as("rotated").keys.list({ limit: 100 })).items.length).toBeGreaterThan(4);

    const watch = async (name: string) => await as("agent").watchlists.add({ name, ticker: facts.ticker });
    expect((await watch("approved")).watchlist.name).toBe("approved");
    expect(await refusalOf(watch("asked"))).toBe("approval_required");
    await as("admin").approvals.answer(facts.platformOpen, { answer: "approved" });
    expect((await watch("asked")).watchlist.name).toBe("asked");
    const granted = [];
    for await (const { grantId } of as("admin").grants.list({ status: "granted" })) granted.push(grantId);
    expect(granted).toContain(facts.platformGrant);
    const { intent: draft } = await as("trader").intents.get({ intentId: facts.draft });
    expect(draft.state).toBe("pending");
    const { intent: armed } = await as("trader").intents.get({ intentId: facts.armed });
    const disarmed = {
      state: "stopped",
      stoppedBy: { code: "journal_corrupt", reason: expect.stringContaining("arm it again") },
    };
    expect(armed).toMatchObject(disarmed);
    // It is written down, and told, once.
    const told: unknown[] = [];
    for (const _ of ["at first", "and later"]) {
      rounds = 0;
      const stop = markets.tend({ everyMs: roundMs, onFault: (...fault) => told.push(fault) });
      await expect.poll(() => rounds, { timeout: 30_000 }).toBe(1);
      await stop();
    }
    expect(told).toMatchObject([["orders", { intentId: facts.armed, code: "journal_corrupt" }]]);
    const { items } = await as("trader").intents.list({ state: "stopped" });
    expect(items).toMatchObject([{ intentId: facts.armed, ...disarmed }]);
    const { venue, ticker, action, side, quantity, limitPriceCents, timeInForce, trigger } = armed;
    const order = { venue, ticker, action, side, quantity, limitPriceCents, timeInForce, trigger };
    const { intent: again } = await as("trader").execution.place({
      ...order,
      intentId: facts.armed,
      autoExecute: true,
      dryRun: false,
    });
    expect(again).toMatchObject({ intentId: facts.armed, state: "armed" });
    await platform.close();
    expect((await verifyAccount(store, desk)).status).toBe("ok");
  });

  test("the account of the long-lived agent has no call that is unknown", async () => {
    const { store, clock } = await openOld();
    const calls = openDesk(store, club, clock, openWorld());
    expect(await calls.unknown()).toStrictEqual([]);
    await calls.close();
  });
}

describe("a SQLite folder of an old version", () => {
  testOldStore(openOldSqlite);
});
describePostgres("a PostgreSQL database of an old version", (postgres) =>
  testOldStore(async () => await openOldPostgres(postgres())),
);
