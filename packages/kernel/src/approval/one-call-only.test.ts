// A1, B1, B2, B8: an approval is for exactly one call: this principal, tool, input and policy. It is used once.
import type { Approval, JournalRecord } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import {
  answersIn,
  ask,
  asking,
  askingPolicy,
  openAsking,
  operatorOf,
  storyOf,
  write,
} from "../../test-data/call-approvals.ts";
import { Deck } from "../../test-data/call-deck.ts";
import { codeOf, type Desk, type DeskOptions, openDesk, principalOf } from "../../test-data/call-desk.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import type { CallOutcome, CallRequest } from "../call/call-host.ts";
import { problemsOf } from "../journal/verify-account.ts";

/** Another seat on the same store. */
function beside(desk: Pick<Desk, "store" | "clock" | "deck">, options: DeskOptions = {}): Desk {
  const { clock, deck } = desk;
  return openDesk({ life: 2, ...asking, clock, deck, ...options, store: new FaultyStore(desk.store.inner) });
}

/** A desk whose one question was approved, and the approval. */
async function approvedDesk(options: DeskOptions = {}, request: CallRequest = write) {
  const desk = openAsking(options);
  const { approvalId } = await ask(desk, request);
  return { ...desk, approval: await desk.operator.approve(approvalId) };
}

function messageOf(outcome: CallOutcome): string {
  return outcome.type === "completed" ? "completed" : outcome.error.message;
}

async function lastRecord(desk: Pick<Desk, "records">): Promise<JournalRecord | undefined> {
  return (await desk.records()).findLast(({ kind }) => kind === "call.refused");
}

test("a call that was approved runs when it is made again, once, and its records say by whose word", async () => {
  const desk = await approvedDesk();
  const { approvalId, expiresAt, decidedBy } = desk.approval;
  expect(codeOf(await desk.call(write))).toBe("completed");
  const intent = (await desk.records()).find(({ kind }) => kind === "call.intended");
  expect(intent).toMatchObject({ approval: { approvalId, status: "used", expiresAt, decidedBy } });
  const used = await desk.operator.get(approvalId);
  expect(used).toStrictEqual({
    ...desk.approval,
    status: "used",
    usedBy: (intent as { callId: string }).callId,
  });
  expect(codeOf(await desk.call(write))).toBe("approval_required");
  expect(desk.deck.runs).toHaveLength(1);
  expect(await storyOf(desk)).toStrictEqual([
    "call.refused pending approval_required",
    "call.intended used",
    "call.settled completed",
    "call.refused pending approval_required",
  ]);
  expect(await answersIn(desk)).toStrictEqual(["boss approved: approved"]);
});

test("whoever comes again before there is an answer finds the same question, and no second one is put", async () => {
  const desk = openAsking();
  const first = await ask(desk);
  const again = await ask(desk);
  expect([again.approvalId, (await desk.operator.list()).length]).toStrictEqual([first.approvalId, 1]);
  expect(first).toMatchObject({ status: "pending", tool: "notes.write", input: { text: "a" } });
});

test("two that come at once put one question", async () => {
  const desk = openAsking();
  const outcomes = await Promise.all([desk.call(write), desk.call(write), desk.call(write)]);
  expect(outcomes.map(codeOf)).toStrictEqual(Array.from({ length: 3 }, () => "approval_required"));
  expect(await desk.operator.list()).toHaveLength(1);
});

test("B1: an id that nobody has given out approves nothing", async () => {
  const desk = openAsking();
  const outcome = await desk.call({ ...write, approvalId: "appr_forged-forged" });
  expect([outcome.type, codeOf(outcome)]).toStrictEqual(["refused", "approval_mismatch"]);
  expect(desk.deck.runs).toStrictEqual([]);
  expect(await lastRecord(desk)).toMatchObject({ error: { code: "approval_mismatch" } });
  expect(await lastRecord(desk)).not.toHaveProperty("approval");
});

test.each([["appr_"], ["approval"], [""], [7], [{}]])(
  "what is no approval's id is refused at the door: %j",
  async (approvalId) => {
    const desk = openAsking();
    await expect(desk.call({ ...write, approvalId: approvalId as string })).rejects.toMatchObject({
      code: "invalid_input",
    });
  },
);

test("I1: an approval of another account is like one that is nowhere", async () => {
  const desk = await approvedDesk();
  const other = beside(desk, { principal: principalOf("acct_2") });
  const { approvalId } = desk.approval;
  const theirs = await other.call({ ...write, approvalId });
  const nobodys = await other.call({ ...write, approvalId: "appr_00000000-nowhere" });
  expect([theirs.type, messageOf(theirs)]).toStrictEqual([nobodys.type, messageOf(nobodys)]);
  expect(codeOf(theirs)).toBe("approval_mismatch");
  const boss2 = operatorOf(desk, { principal: { ...principalOf("acct_2"), keyId: "boss" }, life: 8 });
  const told = await Promise.allSettled([boss2.get(approvalId), boss2.approve(approvalId)]);
  expect(told).toMatchObject([{ reason: { code: "not_found" } }, { reason: { code: "not_found" } }]);
  expect(await boss2.list({ status: "any" })).toStrictEqual([]);
  expect(desk.deck.runs).toStrictEqual([]);
});

type Changed = {
  readonly what: string;
  /** The seat that comes with the approval of another. */
  readonly seat?: DeskOptions;
  readonly request?: Partial<CallRequest>;
  readonly why: string;
};

const runPrincipal = (runId: string) =>
  principalOf("acct_1", { kind: "run", runId, scopes: ["read", "write"] });

const changes: readonly Changed[] = [
  {
    what: "another key",
    seat: { principal: principalOf("acct_1", { keyId: "key_2" }) },
    why: "somebody else asked for it",
  },
  {
    what: "the same key as another kind of principal",
    seat: { principal: principalOf("acct_1", { kind: "key" }) },
    why: "somebody else asked for it",
  },
  {
    what: "the same key with other scopes",
    seat: { principal: principalOf("acct_1", { scopes: ["read", "write"] }) },
    why: "somebody else asked for it",
  },
  { what: "another input", request: { input: { text: "b" } }, why: "it is for another input" },
  { what: "a member more", request: { input: { text: "a", also: 1 } }, why: "it is for another input" },
  { what: "another tool", request: { tool: "notes.put" }, why: "it is for another tool" },
  {
    what: "the tool in another definition",
    seat: { deck: withoutWrite() },
    why: "the tool was changed since",
  },
  {
    what: "another policy at the same level",
    seat: {
      levels: [{ level: "agent", policy: { ...askingPolicy, maxCostEffect: "search_cost" } }],
    },
    why: "the policy was changed since",
  },
  {
    what: "one more level",
    seat: {
      levels: [
        { level: "agent", policy: askingPolicy },
        { level: "session", policy: askingPolicy },
      ],
    },
    why: "the policy was changed since",
  },
  {
    what: "the same policy at another level",
    seat: { levels: [{ level: "key", policy: askingPolicy }] },
    why: "the policy was changed since",
  },
];

/** The same names; what writes notes says something else of itself. */
function withoutWrite(): Deck {
  const deck = new Deck();
  const changed = deck.tool({
    name: "notes.write",
    sideEffect: "user_write",
    description: "Writes, and mails.",
  });
  const others = deck.tools.filter(({ contract }) => contract.name !== "notes.write");
  Object.assign(deck, { tools: [...others, changed] });
  return deck;
}

describe("A1: an approval does not fit, named or found,", () => {
  test.each(changes)("$what", async ({ seat = {}, request = {}, why }) => {
    const desk = await approvedDesk();
    const { approvalId } = desk.approval;
    const other = beside(desk, seat);
    const named = await other.call({ ...write, ...request, approvalId });
    expect([named.type, codeOf(named)]).toStrictEqual(["refused", "approval_mismatch"]);
    expect(messageOf(named)).toContain(`${approvalId} does not approve this call: ${why}`);
    expect(await lastRecord(other)).toMatchObject({
      approval: { approvalId, status: "approved" },
      error: { code: "approval_mismatch" },
    });
    // Without its name it is not found: a new question is put.
    const found = await other.call({ ...write, ...request });
    expect(codeOf(found)).toBe("approval_required");
    expect(found).not.toMatchObject({ error: { details: { approvalId } } });
    expect([desk.deck.runs, other.deck.runs]).toStrictEqual([[], []]);
    expect((await desk.operator.get(approvalId)).status).toBe("approved");
  });

  test("the same run as another run", async () => {
    const desk = openAsking({ principal: runPrincipal("run_00000001") });
    const { approvalId } = await ask(desk);
    await desk.operator.approve(approvalId);
    const other = beside(desk, { principal: runPrincipal("run_00000002") });
    expect(codeOf(await other.call({ ...write, approvalId }))).toBe("approval_mismatch");
    expect(codeOf(await other.call(write))).toBe("approval_required");
    expect(codeOf(await desk.call(write))).toBe("completed");
    expect(desk.deck.runs).toHaveLength(1);
  });
});

test("the order in which an input is written is not part of it", async () => {
  const desk = await approvedDesk({}, { ...write, input: { a: 1, b: 2 } });
  expect(codeOf(await desk.call({ ...write, input: { b: 2, a: 1 } }))).toBe("completed");
});

test("B2: what was approved is what runs: an input that its owner changes afterwards is another", async () => {
  const desk = openAsking();
  const input = { to: ["anna"] };
  const { approvalId, input: shown } = await ask(desk, { ...write, input });
  await desk.operator.approve(approvalId);
  input.to.push("mallory");
  expect(shown).toStrictEqual({ to: ["anna"] });
  expect(codeOf(await desk.call({ ...write, input }))).toBe("approval_required");
  expect(desk.deck.runs).toStrictEqual([]);
});

describe("an approval is used once", () => {
  test("by two that come at once", async () => {
    const desk = await approvedDesk();
    const outcomes = await Promise.all([desk.call(write), desk.call(write)]);
    expect(outcomes.map(codeOf).toSorted()).toStrictEqual(["approval_required", "completed"]);
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("by two that name it at once", async () => {
    const desk = await approvedDesk();
    const request = { ...write, approvalId: desk.approval.approvalId };
    const outcomes = await Promise.all([desk.call(request), desk.call(request)]);
    expect(outcomes.map(codeOf).toSorted()).toStrictEqual(["approval_mismatch", "completed"]);
    const late = await desk.call(request);
    expect(messageOf(late)).toContain("it is used");
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("by two processes on one store", async () => {
    const desk = await approvedDesk();
    const other = beside(desk);
    const outcomes = await Promise.all([desk.call(write), other.call(write)]);
    expect(outcomes.map(codeOf).toSorted()).toStrictEqual(["approval_required", "completed"]);
    expect(desk.deck.runs).toHaveLength(1);
    await Promise.all([desk.seat.close(), other.seat.close(), desk.operator.close()]);
    const verification = await desk.seat.verify();
    expect([verification.status, problemsOf(verification)]).toStrictEqual(["ok", []]);
  });
});

const secret = (last: string) => ({ ...write, input: { apiKey: `sk-proj-${"Ab1".repeat(14)}${last}` } });

test("an input that holds a secret fits when it is sent again, and another secret does not", async () => {
  const desk = openAsking();
  const { approvalId, input } = await ask(desk, secret("x"));
  expect(JSON.stringify(input)).not.toContain("sk-proj");
  await desk.operator.approve(approvalId);
  expect(codeOf(await desk.call({ ...secret("y"), approvalId }))).toBe("approval_mismatch");
  expect(codeOf(await desk.call(secret("x")))).toBe("completed");
  expect(desk.deck.runs.map(({ text }) => text)).toStrictEqual([JSON.stringify(secret("x").input)]);
});

test("B9, B10: who decided is who answered, whatever the answer says", async () => {
  const desk = openAsking();
  const { approvalId } = await ask(desk);
  const forged = { note: "fine", decidedBy: principalOf("acct_1", { keyId: "ceo" }), by: "ceo" };
  await expect(desk.operator.approve(approvalId, forged)).rejects.toThrow(
    "unknown term of an answer decidedBy",
  );
  const approval: Approval = await desk.operator.approve(approvalId, { note: "fine" });
  expect(approval.decidedBy).toMatchObject({ keyId: "boss", kind: "operator" });
  expect(await answersIn(desk)).toStrictEqual(["boss approved: approved"]);
});
