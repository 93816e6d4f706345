// B4, B11, B20, B21: a call that waits for a person goes on by their answer, wherever it is by then: in its process, in the next, in one
// of several. Nothing that it has done before is done again.
import { describe, expect, test } from "vitest";
import {
  answersIn,
  asking,
  askingPolicy,
  begin,
  closeAll,
  leaveWaiting,
  openAsking,
  operatorOf,
  pending,
  storyOf,
  waiting,
  write,
} from "../../test-data/call-approvals.ts";
import { Deck } from "../../test-data/call-deck.ts";
import { codeOf, openDesk, principalOf, reopenDesk, storedIn } from "../../test-data/call-desk.ts";
import { brokenPromises } from "../../test-data/call-events.ts";
import { settlement, turn, until } from "../../test-data/call-waiting.ts";

describe("a call that waits", () => {
  test("B4, B11: goes on when it is approved, without anybody asking again, and its tool has run", async () => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk);
    expect(desk.deck.runs).toStrictEqual([]);
    await desk.operator.approve(approval.approvalId);
    expect(codeOf(await outcome)).toBe("completed");
    expect(desk.deck.runs).toHaveLength(1);
    expect(await storyOf(desk)).toStrictEqual([
      "call.waiting pending",
      "call.intended used",
      "call.settled completed",
    ]);
    expect(brokenPromises(desk.events)).toStrictEqual([]);
    expect(await closeAll(desk)).toStrictEqual(["ok"]);
  });

  test("ends when it is denied, with who said no and why", async () => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk);
    await desk.operator.deny(approval.approvalId, { note: "never" });
    expect(await outcome).toMatchObject({
      type: "refused",
      error: { code: "approval_denied", message: expect.stringContaining("and says: never") },
      receipt: { approvalId: approval.approvalId },
    });
    expect(brokenPromises(desk.events)).toStrictEqual([]);
    expect([desk.deck.runs, await closeAll(desk)]).toStrictEqual([[], ["ok"]]);
  });

  test("with a secret in its input goes on with it, while its process lives", async () => {
    const input = { apiKey: `sk-proj-${"Ab1".repeat(14)}` };
    const desk = openAsking();
    const { outcome, approval } = await begin(desk, { ...write, input });
    await desk.operator.approve(approval.approvalId);
    expect(codeOf(await outcome)).toBe("completed");
    expect(desk.deck.runs.map(({ text }) => text)).toStrictEqual([JSON.stringify(input)]);
  });

  test("joins the question that was put about the same call before, and the second of two finds it used", async () => {
    const desk = openAsking();
    expect(codeOf(await desk.call(write))).toBe("approval_required");
    const outcomes = [1, 2].map(() => desk.call({ ...write, asking: "wait" }));
    await until(() => desk.events.filter(({ type }) => type === "approval.required").length === 3);
    expect(await desk.operator.list()).toHaveLength(1);
    await desk.operator.approve((await pending(desk.operator)).approvalId);
    const codes = (await Promise.all(outcomes)).map(codeOf);
    expect(codes.toSorted()).toStrictEqual(["approval_mismatch", "completed"]);
    expect(desk.deck.runs).toHaveLength(1);
    expect(await closeAll(desk)).toStrictEqual(["ok"]);
  });

  test("B21: is answered by the question that is its own, where several wait", async () => {
    const desk = openAsking();
    const texts = ["a", "b", "c"];
    const calls = texts.map((text) => desk.call({ ...write, input: { text }, asking: "wait" }));
    await until(() => desk.events.filter(({ type }) => type === "approval.required").length === 3);
    const questions = await desk.operator.list();
    const idOf = (text: string) =>
      questions.find(({ input }) => (input as { text: string }).text === text)?.approvalId ?? "";
    await desk.operator.deny(idOf("b"));
    await desk.operator.approve(idOf("c"));
    expect(codeOf(await (calls[1] as Promise<never>))).toBe("approval_denied");
    expect(codeOf(await (calls[2] as Promise<never>))).toBe("completed");
    expect(await settlement(calls[0] as Promise<never>)).toStrictEqual({ state: "pending" });
    await desk.operator.approve(idOf("a"));
    expect(codeOf(await (calls[0] as Promise<never>))).toBe("completed");
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"c"}', '{"text":"a"}']);
  });

  test("is cancelled by its caller, and so is its question", async () => {
    const desk = openAsking();
    const controller = new AbortController();
    const { outcome, approval } = await begin(desk, { ...write, signal: controller.signal });
    controller.abort();
    expect(codeOf(await outcome)).toBe("cancelled");
    expect((await desk.operator.get(approval.approvalId)).status).toBe("cancelled");
    expect(await storyOf(desk)).toStrictEqual(["call.waiting pending", "call.refused cancelled cancelled"]);
    expect(desk.clock.waiting).toBe(0);
  });

  test("that is cancelled at the moment of a yes runs or is cancelled, and never both", async () => {
    for (let turns = 0; turns < 12; turns++) {
      const desk = openAsking();
      const controller = new AbortController();
      const { outcome, approval } = await begin(desk, { ...write, signal: controller.signal });
      const answer = desk.operator.approve(approval.approvalId).catch(() => undefined);
      for (let at = 0; at < turns; at++) await Promise.resolve();
      controller.abort();
      const [code] = [codeOf(await outcome), await answer];
      const { status } = await desk.operator.get(approval.approvalId);
      const isRun = desk.deck.runs.length === 1;
      expect([code, status]).toStrictEqual(isRun ? [code, "used"] : ["cancelled", "cancelled"]);
      expect(await closeAll(desk)).toStrictEqual(["ok"]);
    }
  });
});

describe("a seat that closes", () => {
  test("leaves its calls waiting, tells their callers, and seals nothing that is not over", async () => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk);
    await desk.seat.close();
    expect(await outcome).toMatchObject({
      type: "refused",
      error: {
        code: "approval_required",
        details: { reason: "left_waiting", approvalId: approval.approvalId, runId: approval.runId },
      },
    });
    expect((await desk.operator.get(approval.approvalId)).status).toBe("pending");
    expect(await storyOf(desk)).toStrictEqual(["call.waiting pending"]);
    expect((await desk.seat.verify()).status).toBe("open");
    expect(desk.clock.waiting).toBe(0);
  });

  test("and the next one goes on where it was", async () => {
    const desk = openAsking();
    const { approval } = await begin(desk);
    await desk.seat.close();
    const next = { ...reopenDesk(desk, { ...asking, deck: desk.deck }), operator: desk.operator };
    await desk.operator.approve(approval.approvalId);
    expect(await next.seat.open()).toMatchObject({ settled: [{ outcome: "completed", by: "approval" }] });
    expect(desk.deck.runs).toHaveLength(1);
    expect(await closeAll(next)).toStrictEqual(["ok"]);
  });
});

describe("a process that dies while a call waits", () => {
  test("and was answered while nobody was there: the next goes on as it opens", async () => {
    const { desk, approval, next } = await leaveWaiting();
    await desk.operator.approve(approval.approvalId);
    expect(desk.deck.runs).toStrictEqual([]);
    const later = next();
    expect((await later.seat.open()).settled).toMatchObject([{ outcome: "completed", by: "approval" }]);
    expect(desk.deck.runs).toHaveLength(1);
    expect(await closeAll(later)).toStrictEqual(["ok"]);
  });

  test("and is answered later: the next goes on by itself, and nobody has to ask", async () => {
    const { desk, approval, next } = await leaveWaiting();
    const later = next();
    expect((await later.seat.open()).settled).toMatchObject([
      { outcome: "left", waitsFor: { approvalId: approval.approvalId, expiresAt: approval.expiresAt } },
    ]);
    await turn();
    expect(desk.deck.runs).toStrictEqual([]);
    await desk.operator.approve(approval.approvalId);
    await until(() => desk.deck.runs.length === 1, "the call");
    expect(await closeAll(later)).toStrictEqual(["ok"]);
    expect(await storyOf(later)).toStrictEqual([
      "call.waiting pending",
      "call.intended used",
      "call.settled completed",
    ]);
  });

  test("and is denied, or never answered: the next ends it", async () => {
    for (const how of ["denied", "expired"] as const) {
      const { desk, approval, next } = await leaveWaiting();
      const later = next();
      await later.seat.open();
      if (how === "denied") await desk.operator.deny(approval.approvalId);
      else desk.clock.advance(60_000);
      const ended = `call.refused ${how} approval_${how}`;
      for (let at = 0; at < 100; at++) {
        if ((await storyOf(later)).includes(ended)) break;
        await turn();
      }
      expect(await storyOf(later)).toStrictEqual(["call.waiting pending", ended]);
      expect(await closeAll(later)).toStrictEqual(["ok"]);
      expect(desk.deck.runs).toStrictEqual([]);
    }
  });

  test("with a secret in its input: nobody can run it any more, and it is to be asked about anew", async () => {
    const request = { ...write, input: { apiKey: `sk-proj-${"Ab1".repeat(14)}`, text: "" } };
    const { desk, approval, next } = await leaveWaiting({}, request);
    await desk.operator.approve(approval.approvalId);
    const later = next();
    expect((await later.seat.open()).settled).toMatchObject([{ outcome: "refused", by: "approval" }]);
    expect(await storyOf(later)).toStrictEqual([
      "call.waiting pending",
      "call.refused superseded approval_required",
    ]);
    expect((await desk.operator.get(approval.approvalId)).status).toBe("superseded");
    expect(codeOf(await later.call({ ...request, asking: "return" }))).toBe("approval_required");
    expect(desk.deck.runs).toStrictEqual([]);
    expect(await closeAll(later)).toStrictEqual(["ok"]);
  });

  test("with a secret in its input, and was denied: that is what is said", async () => {
    const request = { ...write, input: { apiKey: `sk-proj-${"Ab1".repeat(14)}`, text: "" } };
    const { desk, approval, next } = await leaveWaiting({}, request);
    await desk.operator.deny(approval.approvalId);
    const later = next();
    await later.seat.open();
    expect(await storyOf(later)).toStrictEqual([
      "call.waiting pending",
      "call.refused denied approval_denied",
    ]);
  });

  test.each([
    ["another key", { principal: principalOf("acct_1", { keyId: "key_2" }) }],
    ["the same key with other scopes", { principal: principalOf("acct_1", { scopes: ["read", "write"] }) }],
  ])("A1: does not go on as %s, and waits for its own", async (_, options) => {
    const { desk, approval, next } = await leaveWaiting();
    await desk.operator.approve(approval.approvalId);
    const stranger = next(options);
    expect((await stranger.seat.open()).settled).toMatchObject([{ outcome: "left", keyId: "key_1" }]);
    await stranger.seat.close();
    expect(desk.deck.runs).toStrictEqual([]);
    const own = { ...reopenDesk(desk, { ...waiting, deck: desk.deck, life: 3 }), operator: desk.operator };
    expect((await own.seat.open()).settled).toMatchObject([{ outcome: "completed" }]);
    expect(await closeAll(own)).toStrictEqual(["ok"]);
  });

  const changed = new Deck();
  const otherTool = changed.tool({
    name: "notes.write",
    sideEffect: "user_write",
    description: "Also mails.",
  });
  const otherPolicy = { ...askingPolicy, maxCostEffect: "none" } as const;
  const otherSeats = [
    ["with a tool that has another contract", { packs: [otherTool] }, "another contract"],
    ["under another policy", { levels: [{ level: "agent", policy: otherPolicy }] }, "another policy"],
  ] as const;

  test.each(otherSeats)(
    "does not go on %s, and nobody's yes is lost: it goes on where it was asked",
    async (_, options, why) => {
      const { desk, approval, next } = await leaveWaiting();
      await desk.operator.approve(approval.approvalId);
      const other = next(options);
      expect((await other.seat.open()).settled).toMatchObject([
        { outcome: "left", reason: expect.stringContaining(why) },
      ]);
      await expect(other.seat.resume(approval.runId)).rejects.toMatchObject({
        code: "approval_mismatch",
        message: expect.stringContaining(why),
      });
      await other.seat.close();
      expect([desk.deck.runs, changed.runs]).toStrictEqual([[], []]);
      expect((await desk.operator.get(approval.approvalId)).status).toBe("approved");
      const own = { ...reopenDesk(desk, { ...waiting, deck: desk.deck, life: 3 }), operator: desk.operator };
      expect((await own.seat.open()).settled).toMatchObject([{ outcome: "completed" }]);
      expect(await closeAll(own)).toStrictEqual(["ok"]);
    },
  );

  test.each(otherSeats)("is ended %s once its time is over, and says why", async (_, options) => {
    const { desk, approval, next } = await leaveWaiting();
    desk.clock.advance(60_000);
    const later = next(options);
    expect((await later.seat.open()).settled).toMatchObject([
      { outcome: "refused", reason: expect.stringContaining(approval.approvalId) },
    ]);
    const refused = (await later.records()).find(({ kind }) => kind === "call.refused");
    expect(refused).toMatchObject({ toolDigest: approval.toolDigest, error: { code: "approval_mismatch" } });
    expect([desk.deck.runs, changed.runs]).toStrictEqual([[], []]);
    expect(await closeAll(later)).toStrictEqual(["ok"]);
  });

  test("goes on once where two processes take it up", async () => {
    const { desk, approval, next } = await leaveWaiting();
    const others = [next(), next({ life: 3 })] as const;
    await Promise.all(others.map(({ seat }) => seat.open()));
    await desk.operator.approve(approval.approvalId);
    await until(() => desk.deck.runs.length > 0, "the call");
    for (let at = 0; at < 20; at++) {
      await turn();
      desk.clock.advance(1000);
    }
    expect(desk.deck.runs).toHaveLength(1);
    expect(await closeAll(...others)).toStrictEqual(["ok"]);
  });

  test("goes on although somebody of another key looks through its segment at that moment", async () => {
    const { desk, approval, next } = await leaveWaiting();
    const own = next();
    await own.seat.open();
    const stranger = next({ life: 3, principal: principalOf("acct_1", { keyId: "key_2" }) });
    const held = Promise.withResolvers<void>();
    stranger.store.beforeRead = () => held.promise;
    const looking = stranger.seat.open();
    await turn();
    await desk.operator.approve(approval.approvalId);
    await settlement(looking);
    expect(desk.deck.runs).toStrictEqual([]);
    held.resolve();
    await looking;
    desk.clock.advance(1000);
    await until(() => desk.deck.runs.length === 1, "the call");
    expect(await closeAll(own, stranger)).toStrictEqual(["ok"]);
  });
});

test("answers are journaled by whoever takes them, in a segment of their own", async () => {
  const desk = openAsking();
  const { outcome, approval } = await begin(desk);
  await desk.operator.approve(approval.approvalId);
  await outcome;
  const own = desk.seat.segments;
  expect(own).toHaveLength(1);
  const stored = await storedIn(desk.store.inner);
  expect(stored.filter(({ text }) => text.includes('"segment.opened"'))).toHaveLength(2);
  expect(await answersIn(desk)).toStrictEqual(["boss approved: approved"]);
});

test("many may wait: one listens to the store", async () => {
  const desk = openDesk({ ...waiting });
  const operator = operatorOf(desk);
  let listening = 0;
  let most = 0;
  desk.store.listen = (hear) => {
    listening += 1;
    most = Math.max(most, listening);
    const stop = desk.store.inner.listen(hear);
    return () => {
      listening -= 1;
      stop();
    };
  };
  const calls = Array.from({ length: 50 }, (_, n) => desk.call({ ...write, input: { n } }));
  await until(() => desk.events.filter(({ type }) => type === "approval.required").length === 50);
  for (const { approvalId } of await operator.list()) {
    await operator.approve(approvalId);
  }
  expect((await Promise.all(calls)).map(codeOf)).toStrictEqual(Array.from({ length: 50 }, () => "completed"));
  await desk.seat.close();
  // One for the calls, one for the inbox.
  expect([most <= 2, listening, desk.clock.waiting]).toStrictEqual([true, 0, 0]);
});
