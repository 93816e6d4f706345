// A session has one run at a time, is one account's and one agent's, and goes on only from what this installation has left.
import { canonicalJson, hashText, parseJsonStrict } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { otherInstallation, principalOf } from "../../test-data/call-desk.ts";
import { kindsIn } from "../../test-data/call-store.ts";
import { gate, until } from "../../test-data/call-waiting.ts";
import { sessions, shownTo } from "../../test-data/planned-run.ts";
import {
  asking,
  generous,
  levelOf,
  openRunDesk,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  type Script,
  write,
} from "../../test-data/run-desk.ts";
import { hang, heldBack, untilKind } from "../../test-data/run-levers.ts";
import { verifyAccount } from "../journal/verify-account.ts";
import { sessionKind } from "../store/kernel-kinds.ts";

const sessionId = "chat";
/** A model that says what it was last asked. */
const echo: Script = ({ messages }) => `you said: ${messages.at(-1)?.text ?? ""}`;
const options: RunDeskOptions = { script: echo, levels: sessions() };

async function say({ runs }: RunDesk, objective: string, session = sessionId) {
  return await (await runs.start({ objective, sessionId: session })).wait();
}

const key = { kind: sessionKind, accountId: "acct_1", id: sessionId };

describe("one run at a time:", () => {
  test("a second one is refused while the first is under way, with what to do, and nothing is written", async () => {
    const desk = openRunDesk({ ...options, script: hang });
    const first = await desk.runs.start({ objective: "one", sessionId });
    await until(() => desk.model.asked.length === 1);
    const written = desk.store.units.length;
    await expect(desk.runs.start({ objective: "two", sessionId })).rejects.toMatchObject({
      code: "invalid_transition",
      message: `the session chat has a run under way: ${first.runId} is modelling. Wait for it, resume it, or cancel it`,
      details: { reason: "run_under_way" },
    });
    expect(desk.store.units).toHaveLength(written);
    await first.cancel();
    await first.wait();
    const next = await desk.runs.start({ objective: "two", sessionId });
    expect((await desk.records(next.runId))[0]).toMatchObject({ previous: first.runId });
  });

  test("while it waits for a person, also in the next process, until somebody answers", async () => {
    const session = { persist: true, ttlMs: 1000, maxHistoryTokens: 10_000 };
    const levels = levelOf({ ...asking, session });
    const script = saying([write("a")], "written");
    const desk = openRunDesk({ levels, script });
    const first = await desk.runs.start({ objective: "write", sessionId });
    const { approvals } = await first.wait({ for: "rest" });
    await desk.store.die();
    const next = reopenRunDesk(desk, { levels, script });
    await expect(next.runs.start({ objective: "two", sessionId })).rejects.toMatchObject({
      message: expect.stringContaining(`${first.runId} is waiting`),
      details: { reason: "run_under_way" },
    });
    await next.operator.approve(approvals[0]?.approvalId ?? "");
    await (await next.runs.resume(first.runId)).wait();
    expect(await say(next, "two")).toMatchObject({ status: "completed" });
  });

  test.each([false, true])(
    "of two that start at the same moment one wins, and of the other nothing is written; going on: %o",
    async (isGoingOn) => {
      const desk = openRunDesk(options);
      if (isGoingOn) await say(desk, "hello");
      const before = (await desk.runs.list()).length;
      const both = await Promise.allSettled([
        desk.runs.start({ objective: "one", sessionId }),
        desk.runs.start({ objective: "two", sessionId }),
      ]);
      expect(both.map(({ status }) => status).toSorted()).toStrictEqual(["fulfilled", "rejected"]);
      expect(both.find(({ status }) => status === "rejected")).toMatchObject({
        reason: { code: "invalid_transition", details: { reason: "run_under_way", sessionId } },
      });
      const [won] = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      await won?.wait();
      expect((await desk.runs.list()).length).toBe(before + 1);
      const { missing, segments } = await verifyAccount(desk.store.inner, "acct_1");
      expect([missing, segments.length]).toStrictEqual([[], before + 1]);
      expect(desk.model.asked).toHaveLength(before + 1);
      expect(await say(desk, "three")).toMatchObject({ status: "completed" });
    },
  );

  test("of two processes that start at the same moment one wins", async () => {
    const desk = openRunDesk(options);
    const other = reopenRunDesk(desk, options);
    const bothRead = gate();
    let reading = 0;
    for (const { store } of [desk, other])
      store.beforeDocument = async ({ kind }) => {
        if (kind !== sessionKind) return;
        reading += 1;
        if (reading === 2) bothRead.resolve();
        await bothRead.promise;
      };
    const both = await Promise.allSettled([say(desk, "one"), say(other, "two")]);
    expect(both.map(({ status }) => status).toSorted()).toStrictEqual(["fulfilled", "rejected"]);
    expect(await other.runs.list()).toHaveLength(1);
    expect(desk.model.asked.length + other.model.asked.length).toBe(1);
  });

  test("a session is written with the run that begins it, or not at all", async () => {
    const desk = openRunDesk(options);
    desk.store.fault = (unit) => (kindsIn(unit).includes("run.opened") ? { type: "throw" } : undefined);
    await expect(say(desk, "one")).rejects.toMatchObject({ code: "journal_append_failed" });
    expect(await desk.store.inner.document(key)).toBeUndefined();
    desk.store.fault = () => undefined;
    expect(await say(desk, "one")).toMatchObject({ status: "completed" });
  });
});

describe("whose it is:", () => {
  test("I1: another account's of the same name is another one", async () => {
    const desk = openRunDesk(options);
    await say(desk, "our plans");
    const other = reopenRunDesk(desk, { ...options, principal: principalOf("acct_2") });
    const handle = await other.runs.start({ objective: "hello", sessionId });
    await handle.wait();
    expect(shownTo(other)).toStrictEqual([[{ role: "user", text: "hello" }]]);
    await say(desk, "and then?");
    expect(shownTo(desk).at(-1)).toHaveLength(3);
  });

  test("another agent's is refused", async () => {
    const desk = openRunDesk(options);
    await say(desk, "one");
    const other = reopenRunDesk(desk, { ...options, agentId: "clerk" });
    await expect(say(other, "two")).rejects.toMatchObject({
      message: "the session chat is one of the agent scribe; begin another",
      details: { reason: "other_agent" },
    });
    expect(await say(other, "two", "chat-2")).toMatchObject({ status: "completed" });
  });

  test("without a policy that says how sessions are kept its name is a name, and no more", async () => {
    const desk = openRunDesk({ script: echo, levels: levelOf(generous) });
    const runs = [await say(desk, "one"), await say(desk, "two")];
    expect(shownTo(desk).at(-1)).toStrictEqual([{ role: "user", text: "two" }]);
    const listed = await desk.runs.list();
    expect(listed.map((one) => one.sessionId)).toStrictEqual([sessionId, sessionId]);
    const openings = await Promise.all(listed.map(async ({ runId }) => (await desk.records(runId))[0]));
    expect(openings.map((one) => Object.keys(one ?? {}).includes("previous"))).toStrictEqual([false, false]);
    expect(runs).toMatchObject([{ status: "completed" }, { status: "completed" }]);
    expect(await desk.store.inner.document(key)).toBeUndefined();
  });
});

describe("how long it lasts:", () => {
  test("one that is not to persist ends with its process", async () => {
    const levels = sessions({ persist: false });
    const desk = openRunDesk({ ...options, levels });
    await say(desk, "one");
    expect(await say(desk, "two")).toMatchObject({ status: "completed" });
    const next = reopenRunDesk(desk, { ...options, levels });
    await expect(say(next, "three")).rejects.toMatchObject({ details: { reason: "not_persisted" } });
    const persistent = reopenRunDesk(desk, { ...options, life: 3 });
    await expect(say(persistent, "three")).rejects.toMatchObject({ details: { reason: "not_persisted" } });
  });

  test("of one process is whoever has its name", async () => {
    const given = { ...options, levels: sessions({ persist: false }), process: "p1" };
    const desk = openRunDesk(given);
    await say(desk, "one");
    expect(await say(reopenRunDesk(desk, given), "two")).toMatchObject({ status: "completed" });
    for (const process of ["", "p".repeat(65)])
      expect(() => openRunDesk({ ...given, process })).toThrow(/process/);
  });

  test("it ends when nothing was said in it for longer than its policy says, counted from the end of its last run", async () => {
    const desk = openRunDesk({ ...options, levels: sessions({ ttlMs: 1000 }), script: hang });
    const handle = await desk.runs.start({ objective: "one", sessionId });
    await until(() => desk.model.asked.length === 1);
    desk.clock.advance(5000);
    await handle.cancel();
    await handle.wait();
    desk.clock.advance(1000);
    const next = reopenRunDesk(desk, { ...options, levels: sessions({ ttlMs: 1000 }) });
    expect(await say(next, "two")).toMatchObject({ status: "completed" });
    next.clock.advance(1001);
    await expect(say(next, "three")).rejects.toMatchObject({
      message: "the session chat has ended: nothing was said in it for longer than 1000 ms; begin another",
      details: { reason: "session_expired" },
    });
  });

  test("J4: what a tool has said after the end of its last run keeps no session open", async () => {
    const levels = sessions({ ttlMs: 1000 });
    const late = heldBack<object>();
    const script = saying([write("slow")], "done");
    const desk = openRunDesk({ ...options, levels, script, deed: () => late.held() });
    const handle = await desk.runs.start({ objective: "one", sessionId });
    await until(() => desk.deck.runs.length === 1);
    await handle.cancel();
    await handle.wait();
    desk.clock.advance(900);
    late.let({ done: true });
    await untilKind(desk, handle.runId, "call.late");
    desk.clock.advance(101);
    const next = reopenRunDesk(desk, { ...options, levels });
    await expect(say(next, "two")).rejects.toMatchObject({ details: { reason: "session_expired" } });
  });
});

describe("B22: one that somebody else wrote is refused, and nothing is asked:", () => {
  const change = async ({ store }: RunDesk, to: (kept: Kept) => unknown) => {
    const document = await store.inner.document(key);
    const changed = to(parseJsonStrict(document?.body ?? "{}") as Kept);
    const body = typeof changed === "string" ? changed : canonicalJson(changed);
    const put = { ...key, type: "put", expects: document?.revision ?? 0, status: "open", body } as const;
    await store.inner.commit({ durability: "process", now: 0, documents: [put] });
  };
  type Kept = { value: { session: object; runId: string }; proof: string };

  test.each<[string, (kept: Kept) => unknown]>([
    ["with another agent", ({ value, ...kept }) => ({ ...kept, value: { ...value, agentId: "clerk" } })],
    [
      "with another last run",
      ({ value, ...kept }) => ({ ...kept, value: { ...value, runId: "run_00000000-0" } }),
    ],
    [
      "of another time",
      ({ value, ...kept }) => ({
        ...kept,
        value: { ...value, session: { ...value.session, updatedAt: "2036-01-02T03:04:05.000Z" } },
      }),
    ],
    ["of another process", ({ value, ...kept }) => ({ ...kept, value: { ...value, process: "mine" } })],
    [
      "of another name",
      ({ value, ...kept }) => ({
        ...kept,
        value: { ...value, session: { ...value.session, sessionId: "other" } },
      }),
    ],
    ["with a proof of one's own", ({ value }) => ({ value, proof: hashText(canonicalJson(value)) })],
    ["without a proof", ({ value }) => ({ value })],
    ["with a field more", (kept) => ({ ...kept, more: 1 })],
    ["as nonsense", () => "no"],
  ])("%s", async (_what, to) => {
    const desk = openRunDesk({ ...options, agentId: "scribe" });
    await say(desk, "one");
    await change(desk, to);
    const next = reopenRunDesk(desk, options);
    await expect(say(next, "two")).rejects.toMatchObject({ code: "journal_corrupt" });
    expect([next.model.asked.length, (await next.runs.list()).length]).toStrictEqual([0, 1]);
  });

  test("that of another session in its place", async () => {
    const desk = openRunDesk(options);
    await say(desk, "one");
    await say(desk, "our plans", "other");
    const other = await desk.store.inner.document({ ...key, id: "other" });
    await change(desk, () => other?.body ?? "");
    await expect(say(desk, "two")).rejects.toMatchObject({ code: "journal_corrupt" });
  });

  test("that of another account in its place", async () => {
    const desk = openRunDesk(options);
    await say(desk, "one");
    const other = reopenRunDesk(desk, { ...options, principal: principalOf("acct_2") });
    await say(other, "our plans");
    const theirs = await desk.store.inner.document({ ...key, accountId: "acct_2" });
    await change(desk, () => theirs?.body ?? "");
    await expect(say(desk, "two")).rejects.toMatchObject({ code: "journal_corrupt" });
  });

  test("that of another installation", async () => {
    const desk = openRunDesk(options);
    await say(desk, "one");
    const next = reopenRunDesk(desk, { ...options, installation: otherInstallation });
    await expect(say(next, "two")).rejects.toMatchObject({ details: { reason: "no_proof" } });
    expect(next.model.asked).toStrictEqual([]);
  });

  test("one whose last run is listed as if it had ended later, or had ended at all", async () => {
    const relist = async (desk: RunDesk, status: string | undefined, more: object) => {
      const [listed] = await desk.store.inner.documents({ kind: "run", accountId: "acct_1", limit: 1 });
      if (listed === undefined) throw new Error("nothing is listed");
      const body = canonicalJson({ ...(parseJsonStrict(listed.body) as object), ...more });
      const put = {
        ...listed,
        status: status ?? listed.status,
        body,
        type: "put",
        expects: listed.revision,
      } as const;
      await desk.store.inner.commit({ durability: "process", now: 0, documents: [put] });
    };
    const old = openRunDesk({ ...options, levels: sessions({ ttlMs: 1000 }) });
    await say(old, "one");
    old.clock.advance(5000);
    await relist(old, undefined, { updatedAt: new Date(old.clock.now()).toISOString() });
    await expect(say(old, "two")).rejects.toMatchObject({ details: { reason: "session_expired" } });
    const busy = openRunDesk({ ...options, script: hang });
    await busy.runs.start({ objective: "one", sessionId });
    await until(() => busy.model.asked.length === 1);
    await busy.store.die();
    await relist(busy, "completed", {});
    const next = reopenRunDesk(busy, options);
    await expect(say(next, "two")).rejects.toMatchObject({ code: "journal_corrupt" });
    expect([old.model.asked.length, next.model.asked.length]).toStrictEqual([1, 0]);
  });
});
