// B12: a yes for a session holds for what was shown and nothing beside it.
import { describe, expect, test } from "vitest";
import {
  answersIn,
  ask,
  asking,
  askingPolicy,
  begin,
  boss,
  closeAll,
  openAsking,
  operatorOf,
  storyOf,
  usesOf,
  waiting,
  write,
} from "../../test-data/call-approvals.ts";
import { Deck } from "../../test-data/call-deck.ts";
import {
  codeOf,
  type Desk,
  type DeskOptions,
  openDesk,
  principalOf,
  reopenDesk,
} from "../../test-data/call-desk.ts";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { problemsOf } from "../journal/verify-account.ts";
import type { SessionTerms } from "./session-grant.ts";

const input = { to: "anna", text: "a" };
const note = { tool: "notes.write", input };

/** A desk where one call was approved for the session. */
async function granted(terms: SessionTerms = {}, options: DeskOptions = {}) {
  const desk = openAsking(options);
  const { approvalId } = await ask(desk, note);
  const approval = await desk.operator.approveForSession(approvalId, terms);
  return { ...desk, approval, grantId: approval.grantId ?? "" };
}

function beside(desk: Pick<Desk, "store" | "clock" | "deck">, options: DeskOptions = {}): Desk {
  const { clock, deck } = desk;
  return openDesk({ life: 2, ...asking, clock, deck, ...options, store: new FaultyStore(desk.store.inner) });
}

test("a yes for a session makes a grant of what was shown, and says who gave it", async () => {
  const desk = await granted({ fixed: ["/to"], maxUses: 3, forMs: 5000 });
  const { asker, tool, toolDigest, policyDigest } = desk.approval;
  expect(await desk.operator.grants()).toStrictEqual([
    {
      grantId: desk.grantId,
      principal: asker,
      tool,
      toolDigest,
      policyDigest,
      sessionId: "monday",
      fixedInput: { "/to": "anna" },
      maxUses: 3,
      uses: 0,
      expiresAt: new Date(desk.clock.now() + 5000).toISOString(),
      grantedBy: boss,
    },
  ]);
  expect(await answersIn(desk)).toStrictEqual(["boss approved_for_session: approved_for_session"]);
});

test("each use is an approval of its own, used at once, that names the grant and who gave it", async () => {
  const desk = await granted();
  expect(codeOf(await desk.call(note))).toBe("completed");
  expect(codeOf(await desk.call({ ...note, input: { to: "berta" } }))).toBe("completed");
  const used = await desk.operator.list({ status: "used" });
  expect(used).toMatchObject([
    { grantId: desk.grantId, decidedBy: boss, input, status: "used" },
    { grantId: desk.grantId, decidedBy: boss, input: { to: "berta" }, status: "used" },
  ]);
  const intents = (await desk.records()).filter(({ kind }) => kind === "call.intended");
  expect(intents).toMatchObject(
    used.map(({ approvalId, usedBy }) => ({
      callId: usedBy,
      approval: { approvalId, status: "used", grantId: desk.grantId, decidedBy: boss },
    })),
  );
  expect(usesOf(await desk.operator.grants())).toStrictEqual([2]);
  await Promise.all([desk.seat.close(), desk.operator.close()]);
  expect(problemsOf(await desk.seat.verify())).toStrictEqual([]);
});

test("the call that was asked about runs by the very question, and counts as a use", async () => {
  const desk = openAsking();
  const { outcome, approval } = await begin(desk, note);
  const { grantId } = await desk.operator.approveForSession(approval.approvalId, { maxUses: 2 });
  expect(await outcome).toMatchObject({
    type: "completed",
    result: { receipt: { approvalId: approval.approvalId } },
  });
  expect(await desk.operator.get(approval.approvalId)).toMatchObject({ status: "used", grantId });
  expect(usesOf(await desk.operator.grants())).toStrictEqual([1]);
  const resolved = desk.events.find(({ type }) => type === "approval.resolved");
  expect(resolved).toMatchObject({ approvalId: approval.approvalId, status: "approved" });
  expect([codeOf(await desk.call(note)), codeOf(await desk.call(note))]).toStrictEqual([
    "completed",
    "approval_required",
  ]);
});

test("a call that names the question runs by it, once, while the grant stands", async () => {
  const desk = await granted();
  const { approvalId } = desk.approval;
  expect(codeOf(await desk.call({ ...note, approvalId }))).toBe("completed");
  const again = await desk.call({ ...note, approvalId });
  expect(again).toMatchObject({ error: { code: "approval_mismatch" } });
  expect(desk.deck.runs).toHaveLength(1);
});

test("a call of another session that names the question does not run by it", async () => {
  const desk = await granted();
  const other = beside(desk, { sessionId: "tuesday" });
  expect(codeOf(await other.call({ ...note, approvalId: desk.approval.approvalId }))).toBe(
    "approval_mismatch",
  );
  expect(desk.deck.runs).toStrictEqual([]);
});

test("a call that names the question does not run by it once the grant has ended", async () => {
  const desk = await granted();
  await desk.operator.revoke(desk.grantId);
  const named = await desk.call({ ...note, approvalId: desk.approval.approvalId });
  expect(named).toMatchObject({
    error: {
      code: "approval_mismatch",
      message: expect.stringContaining("the grant that it made has ended"),
    },
  });
  expect(desk.deck.runs).toStrictEqual([]);
});

type Beyond = { readonly what: string; readonly seat?: DeskOptions; readonly call?: object };

/** The same names; what writes notes says something else of itself. */
function changedDeck(): Deck {
  const deck = new Deck();
  const changed = deck.tool({ name: "notes.write", sideEffect: "user_write", description: "Also mails." });
  const others = deck.tools.filter(({ contract }) => contract.name !== "notes.write");
  Object.assign(deck, { tools: [...others, changed] });
  return deck;
}

const beyond: readonly Beyond[] = [
  { what: "another session", seat: { sessionId: "tuesday" } },
  { what: "no session", seat: { sessionId: undefined } },
  { what: "another key", seat: { principal: principalOf("acct_1", { keyId: "key_2" }) } },
  { what: "another kind of principal", seat: { principal: principalOf("acct_1", { kind: "key" }) } },
  { what: "another account", seat: { principal: principalOf("acct_2") } },
  { what: "another version of the tool", seat: { deck: changedDeck() } },
  { what: "another tool", call: { tool: "notes.put", input } },
  {
    what: "another policy",
    seat: { levels: [{ level: "agent", policy: { ...askingPolicy, maxCostEffect: "none" } }] },
  },
  { what: "another value where one was fixed", call: { ...note, input: { to: "mallory" } } },
  { what: "a fixed member that is missing", call: { ...note, input: { text: "a" } } },
  { what: "a fixed member deeper inside", call: { ...note, input: { in: { to: "anna" } } } },
  { what: "a fixed member of another type", call: { ...note, input: { to: ["anna"] } } },
];

describe("B12: a grant does not cover", () => {
  test.each(beyond)("$what", async ({ seat = {}, call = note }) => {
    const desk = await granted({ fixed: ["/to"] });
    const other = beside(desk, seat);
    expect(codeOf(await other.call(call as typeof note))).toBe("approval_required");
    expect([desk.deck.runs, other.deck.runs]).toStrictEqual([[], []]);
    expect(usesOf(await desk.operator.grants())).toStrictEqual([0]);
    // And what it does cover, it covers.
    expect(codeOf(await desk.call({ ...note, input: { to: "anna", text: "b" } }))).toBe("completed");
  });

  test("what does not pass the judge, whatever was granted", async () => {
    let outcome: "allow" | "deny" = "allow";
    const desk = await granted({}, { evaluatePreTool: () => ({ outcome }) });
    outcome = "deny";
    expect(codeOf(await desk.call(note))).toBe("policy_denied");
    expect([desk.deck.runs, usesOf(await desk.operator.grants())]).toStrictEqual([[], [0]]);
    const refused = (await desk.records()).find(
      (record) => record.kind === "call.refused" && record.error.code === "policy_denied",
    );
    expect(refused).not.toHaveProperty("approval");
  });
});

describe("what the host's own policy asks about a call", () => {
  const vip = { ...note, input: { to: "vip" } };
  const asksAbout = (view: { readonly input: unknown }) =>
    ({ outcome: JSON.stringify(view.input).includes("vip") ? "ask" : "allow" }) as const;

  test("no grant answers: a person is asked, and says yes to that call", async () => {
    const desk = await granted({}, { evaluatePreTool: asksAbout });
    const { approvalId, gate } = await ask(desk, vip);
    expect([gate, desk.approval.gate]).toStrictEqual(["pre_tool", undefined]);
    expect([desk.deck.runs, usesOf(await desk.operator.grants())]).toStrictEqual([[], [0]]);
    await desk.operator.approve(approvalId);
    expect([codeOf(await desk.call(vip)), codeOf(await desk.call(vip))]).toStrictEqual([
      "completed",
      "approval_required",
    ]);
    expect(codeOf(await desk.call(note))).toBe("completed");
    expect(usesOf(await desk.operator.grants())).toStrictEqual([1]);
  });

  test("no grant answers, also where it asks only when it is asked once more", async () => {
    const said = ["allow", "allow", "ask"] as const;
    let asked = 0;
    const desk = await granted({}, { evaluatePreTool: () => ({ outcome: said[asked++] ?? "ask" }) });
    expect((await ask(desk, vip)).gate).toBe("pre_tool");
    expect([desk.deck.runs, usesOf(await desk.operator.grants())]).toStrictEqual([[], [0]]);
  });

  test("is approved for that call, and for no session", async () => {
    const desk = openAsking({ evaluatePreTool: asksAbout });
    const { approvalId } = await ask(desk, vip);
    await expect(desk.operator.approveForSession(approvalId)).rejects.toMatchObject({
      code: "invalid_input",
      message: "the host's own policy asks about this call: approve this one call",
      details: { reason: "pre_tool" },
    });
    expect(await desk.operator.grants()).toStrictEqual([]);
    expect((await desk.operator.get(approvalId)).status).toBe("pending");
  });

  test("is left to a person also when an effect that a grant let run is taken up again", async () => {
    let outcome: "allow" | "ask" = "allow";
    const evaluatePreTool = () => ({ outcome });
    const desk = openAsking({ evaluatePreTool });
    const put = { tool: "notes.put", input };
    await desk.operator.approveForSession((await ask(desk, put)).approvalId);
    desk.store.fault = atFirst("call.settled", { type: "die", written: false });
    void desk.call({ ...put, input: { to: "berta" } });
    await desk.store.died.promise;
    outcome = "ask";
    const next = reopenDesk(desk, { ...asking, evaluatePreTool });
    next.deck.runs.length = 0;
    expect(await next.seat.open()).toMatchObject({ settled: [{ outcome: "left" }] });
    expect(next.deck.runs).toStrictEqual([]);
  });
});

describe("a grant ends", () => {
  test("after so many uses, also when they come at once", async () => {
    const desk = await granted({ maxUses: 3 });
    const calls = Array.from({ length: 8 }, (_, n) => desk.call({ ...note, input: { n } }));
    const codes = (await Promise.all(calls)).map(codeOf);
    expect(codes.filter((code) => code === "completed")).toHaveLength(3);
    expect(codes.filter((code) => code === "approval_required")).toHaveLength(5);
    expect([desk.deck.runs.length, await desk.operator.grants()]).toStrictEqual([3, []]);
  });

  test("after so many uses, also in two processes", async () => {
    const desk = await granted({ maxUses: 3 });
    const other = beside(desk);
    const calls = [desk, other, desk, other, desk, other].map((one, n) =>
      one.call({ ...note, input: { n } }),
    );
    const codes = (await Promise.all(calls)).map(codeOf);
    expect(codes.filter((code) => code === "completed")).toHaveLength(3);
    expect(desk.deck.runs).toHaveLength(3);
  });

  test("with its time, to the millisecond", async () => {
    const desk = await granted({ forMs: 5000 });
    desk.clock.advance(4999);
    expect(codeOf(await desk.call(note))).toBe("completed");
    expect(usesOf(await desk.operator.grants())).toStrictEqual([1]);
    desk.clock.advance(1);
    expect(await desk.operator.grants()).toStrictEqual([]);
    expect(codeOf(await desk.call(note))).toBe("approval_required");
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("with its time, also while a host's policy is asked once more", async () => {
    let late = 0;
    let clock: Desk["clock"] | undefined;
    const desk = await granted(
      { forMs: 5000 },
      {
        evaluatePreTool: () => {
          clock?.jump(late);
          late = 0;
          return { outcome: "allow" };
        },
      },
    );
    clock = desk.clock;
    desk.clock.advance(4999);
    late = 0;
    const call = desk.call(note);
    late = 1;
    expect(codeOf(await call)).toBe("approval_required");
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("when it is taken back, on record, and what it has approved so far stays approved", async () => {
    const desk = await granted();
    expect(codeOf(await desk.call(note))).toBe("completed");
    await desk.operator.revoke(desk.grantId);
    expect(codeOf(await desk.call(note))).toBe("approval_required");
    expect((await desk.records()).filter(({ kind }) => kind === "grant.revoked")).toMatchObject([
      { grantId: desk.grantId, by: boss },
    ]);
    await expect(desk.operator.revoke(desk.grantId)).rejects.toMatchObject({ code: "not_found" });
  });

  test("when it is taken back while it is used", async () => {
    const desk = await granted();
    const calls = Array.from({ length: 6 }, (_, n) => desk.call({ ...note, input: { n } }));
    await Promise.all([...calls, desk.operator.revoke(desk.grantId)]);
    expect(await desk.operator.grants()).toStrictEqual([]);
    expect(codeOf(await desk.call(note))).toBe("approval_required");
    await Promise.all([desk.seat.close(), desk.operator.close()]);
    expect(problemsOf(await desk.seat.verify())).toStrictEqual([]);
  });
});

describe("A2: a grant is not taken back by", () => {
  test.each([
    ["a run", { ...boss, kind: "run", runId: "run_00000009" }],
    ["a token", { ...boss, kind: "token" }],
    ["a key that neither made it nor has the scope admin", { ...boss, keyId: "key_3", scopes: ["read"] }],
  ] as const)("%s", async (_, principal) => {
    const desk = await granted();
    const somebody = operatorOf(desk, { principal, life: 8 });
    await expect(somebody.revoke(desk.grantId)).rejects.toMatchObject({ code: "forbidden" });
    expect(await desk.operator.grants()).toHaveLength(1);
  });

  test("somebody of another account: it is not there", async () => {
    const desk = await granted();
    const other = operatorOf(desk, { principal: { ...boss, accountId: "acct_2" }, life: 8 });
    await expect(other.revoke(desk.grantId)).rejects.toMatchObject({ code: "not_found" });
    expect(await other.grants()).toStrictEqual([]);
  });
});

describe("a yes for a session is refused, and nothing is decided,", () => {
  test.each([
    ["runtime", "runtime"],
    ["paper_trade", "paper_trade"],
    ["secret", "secret"],
    ["auth_telemetry_write", "auth_telemetry_write"],
  ] as const)("for what is %s: that is asked about every time", async (_, sideEffect) => {
    const deck = new Deck(undefined, [{ name: "notes.do", sideEffect }]);
    const policy = {
      maxSideEffect: "paper_trade",
      allowTools: ["notes.do"],
      approvals: { requireForSideEffectAtOrAbove: "auth_telemetry_write" },
    } as const;
    const desk = openAsking({ deck, levels: [{ level: "agent", policy }], surface: "plain" });
    const { approvalId } = await ask(desk, { tool: "notes.do" });
    await expect(desk.operator.approveForSession(approvalId)).rejects.toMatchObject({
      code: "invalid_input",
      details: { reason: "side_effect" },
    });
    expect((await desk.operator.get(approvalId)).status).toBe("pending");
    expect(await answersIn(desk)).toStrictEqual(["boss approved_for_session: invalid_input"]);
    expect(await desk.operator.grants()).toStrictEqual([]);
    await desk.operator.approve(approvalId);
    expect(codeOf(await desk.call({ tool: "notes.do" }))).toBe("completed");
    expect(codeOf(await desk.call({ tool: "notes.do" }))).toBe("approval_required");
  });

  test("where it was not asked within a session", async () => {
    const desk = openAsking({ sessionId: undefined });
    const { approvalId } = await ask(desk, note);
    await expect(desk.operator.approveForSession(approvalId)).rejects.toMatchObject({
      details: { reason: "no_session" },
    });
    expect((await desk.operator.get(approvalId)).status).toBe("pending");
  });

  test.each([
    ["fixed", { fixed: ["/nowhere"] }],
    ["fixed", { fixed: ["to"] }],
    ["max_uses", { maxUses: 0 }],
    ["max_uses", { maxUses: 1.5 }],
    ["for_ms", { forMs: 0 }],
    ["for_ms", { forMs: Number.NaN }],
    ["for_ms", { forMs: 31 * 24 * 3_600_000 }],
  ])("on terms that are none: %s %j", async (reason, terms) => {
    const desk = openAsking();
    const { approvalId } = await ask(desk, note);
    await expect(desk.operator.approveForSession(approvalId, terms)).rejects.toMatchObject({
      code: "invalid_input",
      details: { reason },
    });
    expect((await desk.operator.get(approvalId)).status).toBe("pending");
    expect(await answersIn(desk)).toStrictEqual(["boss approved_for_session: invalid_input"]);
  });
});

test("a grant outlives the process, and what waited for it goes on in the next one", async () => {
  const desk = openAsking(waiting);
  const { approval } = await begin(desk, note);
  await desk.store.die();
  await desk.operator.approveForSession(approval.approvalId);
  // The next process is in no session: the call itself was approved all the same.
  const next = reopenDesk(desk, { ...asking, deck: desk.deck, clock: desk.clock, sessionId: undefined });
  expect((await next.seat.open()).settled).toMatchObject([{ outcome: "completed", by: "approval" }]);
  expect(await storyOf(next)).toStrictEqual([
    "call.waiting pending",
    "call.intended used",
    "call.settled completed",
  ]);
  const third = openDesk({
    ...asking,
    life: 3,
    deck: desk.deck,
    clock: desk.clock,
    store: new FaultyStore(desk.store.inner),
  });
  expect(codeOf(await third.call(write))).toBe("completed");
  expect(usesOf(await desk.operator.grants())).toStrictEqual([2]);
});

test("what is over is put aside with the next answer: neither listing nor calling reads it again and again", async () => {
  const desk = openAsking({ sessionId: "one" });
  for (const text of ["a", "b", "c"]) {
    const { approvalId } = await ask(desk, { ...write, input: { text } });
    await desk.operator.approveForSession(approvalId, { forMs: 1000, fixed: ["/text"] });
  }
  await ask(desk, { ...write, input: { text: "never answered" } });
  desk.clock.advance(180_000);
  expect(await desk.operator.grants()).toStrictEqual([]);
  const { approvalId } = await ask(desk, { ...write, input: { text: "d" } });
  await desk.operator.deny(approvalId);
  const { inner } = desk.store;
  const kept = async (kind: string, status: string) =>
    (await inner.documents({ kind, accountId: "acct_1", status, limit: 100 })).length;
  expect([await kept("grant", "standing"), await kept("grant", "ended")]).toStrictEqual([0, 3]);
  expect([await kept("approval", "pending"), await kept("approval", "expired")]).toStrictEqual([0, 1]);
  expect(await closeAll(desk)).toStrictEqual(["ok"]);
});
