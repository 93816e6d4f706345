// B4, B20: a call that waits, or has waited, is asked for by its run. Who asks gets what became of it, and nothing runs for the asking.
import { describe, expect, test } from "vitest";
import {
  asking,
  begin,
  openAsking,
  operatorOf,
  pending,
  waiting,
  write,
} from "../../test-data/call-approvals.ts";
import {
  codeOf,
  type DeskOptions,
  openDesk,
  outputOf,
  principalOf,
  reopenDesk,
} from "../../test-data/call-desk.ts";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { settlement, turn, until } from "../../test-data/call-waiting.ts";
import { hang } from "../../test-data/run-levers.ts";

/** A call that waits when its process dies, and the next process. */
async function dead(options: DeskOptions = {}) {
  const desk = openAsking({ ...waiting, ...options });
  const { approval } = await begin(desk);
  await desk.store.die();
  const { deck, clock, operator } = desk;
  return { approval, deck, clock, operator, next: reopenDesk(desk, { ...waiting, ...options, deck, clock }) };
}

describe("B4: resuming a call that waits", () => {
  test("waits for the answer in another process, and gives what was recorded", async () => {
    const { next, approval, operator, deck } = await dead();
    const resumed = next.seat.resume(approval.runId);
    expect(await settlement(resumed)).toStrictEqual({ state: "pending" });
    await operator.approve(approval.approvalId);
    const outcome = await resumed;
    expect(outputOf(outcome)).toStrictEqual({ done: true });
    expect(outcome).toMatchObject({
      type: "completed",
      result: {
        runId: approval.runId,
        callId: approval.callId,
        replayed: true,
        receipt: { approvalId: approval.approvalId },
      },
    });
    expect(deck.runs).toHaveLength(1);
    await next.seat.close();
  });

  test("that was answered while nobody was there gives it at once, as often as it is asked for", async () => {
    const { next, approval, operator, deck } = await dead();
    await operator.approve(approval.approvalId);
    const outcomes = await Promise.all([1, 2, 3].map(() => next.seat.resume(approval.runId)));
    expect(outcomes.map(codeOf)).toStrictEqual(["completed", "completed", "completed"]);
    expect(deck.runs).toHaveLength(1);
  });

  test.each([
    ["denied", "approval_denied"],
    ["expired", "approval_expired"],
  ] as const)("that is %s gives that, with why", async (how, code) => {
    const { next, approval, operator, clock } = await dead();
    const resumed = next.seat.resume(approval.runId);
    expect(await settlement(resumed)).toStrictEqual({ state: "pending" });
    if (how === "denied") await operator.deny(approval.approvalId, { note: "no" });
    else clock.advance(60_000);
    expect(await resumed).toMatchObject({ type: "refused", error: { code } });
    expect(codeOf(await next.seat.resume(approval.runId))).toBe(code);
  });

  test("in the same process waits beside its caller", async () => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk);
    const resumed = desk.seat.resume(approval.runId);
    expect(await settlement(resumed)).toStrictEqual({ state: "pending" });
    await desk.operator.approve(approval.approvalId);
    const [own, asked] = await Promise.all([outcome, resumed]);
    expect(outputOf(asked)).toStrictEqual(outputOf(own));
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("of a process that lives waits for that one to go on", async () => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk);
    const other = openDesk({
      ...asking,
      life: 2,
      deck: desk.deck,
      clock: desk.clock,
      store: new FaultyStore(desk.store.inner),
    });
    const resumed = other.seat.resume(approval.runId);
    expect(await settlement(resumed)).toStrictEqual({ state: "pending" });
    await desk.operator.approve(approval.approvalId);
    expect([codeOf(await outcome), codeOf(await resumed)]).toStrictEqual(["completed", "completed"]);
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("of a process that dies meanwhile goes on in this one", async () => {
    const desk = openAsking(waiting);
    const { approval } = await begin(desk);
    const { deck, clock } = desk;
    const other = openDesk({
      ...waiting,
      life: 2,
      deck,
      clock,
      store: new FaultyStore(desk.store.inner),
    });
    const resumed = other.seat.resume(approval.runId);
    expect(await settlement(resumed)).toStrictEqual({ state: "pending" });
    await desk.store.die();
    await desk.operator.approve(approval.approvalId);
    expect(codeOf(await resumed)).toBe("completed");
    expect(deck.runs).toHaveLength(1);
  });

  test("is gone on with although whoever asked first has given up", async () => {
    const desk = openAsking(waiting);
    const { approval } = await begin(desk);
    const { deck, clock } = desk;
    const store = new FaultyStore(desk.store.inner);
    const other = openDesk({ ...waiting, life: 2, deck, clock, store });
    const controller = new AbortController();
    const first = other.seat.resume(approval.runId, { signal: controller.signal });
    const second = other.seat.resume(approval.runId);
    expect(await settlement(second)).toStrictEqual({ state: "pending" });
    controller.abort();
    await first;
    await desk.store.die();
    await desk.operator.approve(approval.approvalId);
    expect(codeOf(await second)).toBe("completed");
  });

  test("that nobody goes on with any more here is said to wait on, well after its time", async () => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk);
    desk.store.fault = () => ({ type: "throw" });
    desk.clock.advance(60_000);
    expect(await settlement(outcome)).toMatchObject({ state: "broken" });
    desk.store.fault = () => undefined;
    const resumed = desk.seat.resume(approval.runId);
    expect(await settlement(resumed)).toStrictEqual({ state: "pending" });
    desk.clock.advance(120_000);
    expect(await resumed).toMatchObject({ error: { details: { reason: "left_waiting" } } });
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("whose tool runs on after its question's time looks once a second, not once a millisecond", async () => {
    const desk = openAsking({ deed: hang, limits: { callMs: 3_600_000 } });
    const { approval } = await begin(desk);
    const resumed = desk.seat.resume(approval.runId);
    expect(await settlement(resumed)).toStrictEqual({ state: "pending" });
    await desk.operator.approve(approval.approvalId);
    await until(() => desk.deck.runs.length === 1);
    // The question had a minute, and whoever resumes it two more.
    desk.clock.advance(180_000);
    expect(await settlement(resumed)).toStrictEqual({ state: "pending" });
    let looks = 0;
    desk.store.beforeRead = () => {
      looks += 1;
    };
    const pass = async (ms: number) => {
      looks = 0;
      for (let at = 0; at < ms; at += 100) {
        desk.clock.advance(100);
        await turn();
      }
      return looks;
    };
    expect(await pass(900)).toBe(0);
    expect(await pass(100)).toBeGreaterThan(0);
  });

  test("is given up by its signal, and the call waits on", async () => {
    const { next, approval, operator, deck } = await dead();
    const controller = new AbortController();
    const resumed = next.seat.resume(approval.runId, { signal: controller.signal });
    expect(await settlement(resumed)).toStrictEqual({ state: "pending" });
    controller.abort();
    expect(await resumed).toMatchObject({
      type: "refused",
      error: { code: "approval_required", details: { reason: "left_waiting", runId: approval.runId } },
    });
    expect(await pending(operator)).toMatchObject({ status: "pending" });
    await operator.approve(approval.approvalId);
    await until(() => deck.runs.length === 1, "the call");
    await next.seat.close();
  });

  test("is given up when the seat closes", async () => {
    const { next, approval, deck } = await dead();
    const resumed = next.seat.resume(approval.runId);
    await turn();
    await next.seat.close();
    expect(await resumed).toMatchObject({ error: { details: { reason: "left_waiting" } } });
    expect(deck.runs).toStrictEqual([]);
    await expect(next.seat.resume(approval.runId)).rejects.toMatchObject({ code: "invalid_transition" });
  });

  test("with a secret in its input says that it must be asked about anew", async () => {
    const desk = openAsking(waiting);
    const { approval } = await begin(desk, { ...write, input: { apiKey: `sk-proj-${"Ab1".repeat(14)}` } });
    await desk.store.die();
    const next = reopenDesk(desk, { ...waiting, deck: desk.deck, clock: desk.clock });
    expect(await next.seat.resume(approval.runId)).toMatchObject({
      type: "refused",
      error: { code: "approval_required", details: { reason: "superseded" } },
    });
  });
});

test("a call that had begun when its process died is resumed with what another process brings it to", async () => {
  const desk = openAsking(waiting);
  const { approval } = await begin(desk, { ...write, tool: "notes.put" });
  const { deck, clock } = desk;
  const beside = (life: number) =>
    openDesk({ ...waiting, life, deck, clock, store: new FaultyStore(desk.store.inner) });
  const [asks, settles] = [beside(2), beside(3)];
  deck.deed = () => new Promise(() => {});
  await desk.operator.approve(approval.approvalId);
  await until(() => deck.runs.length === 1);
  const resumed = asks.seat.resume(approval.runId);
  expect(await settlement(resumed)).toStrictEqual({ state: "pending" });
  await desk.store.die();
  deck.deed = () => ({ done: "after all" });
  expect((await settles.seat.open()).settled).toMatchObject([{ outcome: "completed", by: "retry" }]);
  expect(outputOf(await resumed)).toStrictEqual({ done: "after all" });
});

describe("resuming a call that has ended", () => {
  test("gives the recorded answer, also of one that never waited", async () => {
    const desk = openDesk();
    const outcome = await desk.call(write);
    const runId = outcome.type === "completed" ? outcome.result.runId : "";
    expect(outputOf(await desk.seat.resume(runId))).toStrictEqual({ done: true });
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("gives a held output to nobody before it was released", async () => {
    const desk = openAsking({ ...waiting, evaluatePostTool: () => ({ outcome: "deny", reason: "private" }) });
    const { outcome, approval } = await begin(desk);
    await desk.operator.approve(approval.approvalId);
    await outcome;
    const resumed = await desk.seat.resume(approval.runId);
    expect(resumed).toMatchObject({ type: "failed", error: { code: "policy_denied" } });
    expect(JSON.stringify(resumed)).not.toContain("done");
  });

  test("whose key had been used meanwhile gives the answer of that call", async () => {
    const keyed = { ...write, idempotencyKey: "k" };
    const desk = openAsking();
    const first = desk.call({ ...keyed, asking: "wait" });
    const { approvalId: one } = await pending(desk.operator);
    const second = desk.call({ ...keyed, asking: "wait" });
    const other = await pending(desk.operator, ({ approvalId }) => approvalId !== one);
    await desk.operator.approve(one);
    await first;
    await desk.operator.approve(other.approvalId);
    await second;
    const resumed = await desk.seat.resume(other.runId);
    expect(outputOf(resumed)).toStrictEqual({ done: true });
  });

  test("of which nobody knows the end says so", async () => {
    const desk = openAsking(waiting);
    const { approval } = await begin(desk);
    desk.store.fault = atFirst("call.settled", { type: "die", written: false });
    await desk.operator.approve(approval.approvalId);
    await desk.store.died.promise;
    const next = reopenDesk(desk, { ...waiting, deck: desk.deck, clock: desk.clock });
    expect(await next.seat.resume(approval.runId)).toMatchObject({
      type: "failed",
      error: { code: "recovery_needed" },
    });
    expect(desk.deck.runs).toHaveLength(1);
  });
});

describe("I1: there is nothing to resume", () => {
  test.each([["run_00000000-nowhere"], [""], ["call_00000001"], ["\ud800"], ["x".repeat(5000)]])(
    "for a run that is nowhere: %j",
    async (runId) => {
      const desk = openDesk();
      await desk.call(write);
      await expect(desk.seat.resume(runId)).rejects.toMatchObject({ code: "not_found" });
    },
  );

  test.each([
    ["another key", { principal: principalOf("acct_1", { keyId: "key_2" }) }],
    ["another account", { principal: principalOf("acct_2") }],
    ["the same key with other scopes", { principal: principalOf("acct_1", { scopes: ["read"] }) }],
  ])("for %s, and it is not said that there is a call", async (_, options) => {
    const desk = openAsking(waiting);
    const { approval } = await begin(desk);
    const store = new FaultyStore(desk.store.inner);
    const other = openDesk({ ...waiting, life: 2, ...options, store, clock: desk.clock });
    const [theirs, nobodys] = await Promise.allSettled([
      other.seat.resume(approval.runId),
      other.seat.resume(approval.runId.replace(/.$/, "9")),
    ]);
    const words = [theirs, nobodys].map((one) => {
      const { code, message } = (one as PromiseRejectedResult).reason as { code: string; message: string };
      return [code, message.replaceAll(/run_\S+/g, "it")];
    });
    expect(words[0]).toStrictEqual(words[1]);
    expect(words[0]?.[0]).toBe("not_found");
  });
});

test("B22: a call whose records were changed is not resumed", async () => {
  const desk = openAsking(waiting);
  const { outcome, approval } = await begin(desk);
  await desk.operator.approve(approval.approvalId);
  await outcome;
  await desk.seat.close();
  const next = openDesk({ ...asking, life: 2, store: new FaultyStore(desk.store.inner), clock: desk.clock });
  await next.seat.open();
  next.store.tamper = (records) =>
    records.map((one) =>
      one.text.includes('"call.settled"')
        ? { ...one, content: one.content.map((row) => ({ ...row, text: '{"done":"forged"}' })) }
        : one,
    );
  await expect(next.seat.resume(approval.runId)).rejects.toMatchObject({ code: "journal_corrupt" });
});

test("whoever answers in the same process wakes whoever resumes in it", async () => {
  const { next, approval, clock } = await dead();
  const resumed = next.seat.resume(approval.runId);
  await turn();
  const operator = operatorOf({ ...next, clock }, { store: next.store, life: 7 });
  await operator.approve(approval.approvalId);
  expect(codeOf(await resumed)).toBe("completed");
});
