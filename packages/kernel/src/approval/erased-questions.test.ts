// Erasing a call erases what its approval shows of it: the input, the reason, and what was said about it. Who decided stays.
import { describe, expect, test } from "vitest";
import {
  ask,
  begin,
  boss,
  openAsking,
  pending,
  storyOf,
  waiting,
  write,
} from "../../test-data/call-approvals.ts";
import { codeOf, type Desk, keptText, reopenDesk } from "../../test-data/call-desk.ts";
import { problemsOf } from "../journal/verify-account.ts";
import { fitOf } from "./approval-fit.ts";
import type { Operator } from "./open-operator.ts";

const person = "Berta Meier";
const letter = { ...write, input: { name: person } };
const evaluatePreTool = ({ input }: { readonly input: unknown }) =>
  ({ outcome: "ask", reason: `about ${(input as { name: string }).name}` }) as const;

type Asking = Desk & { readonly operator: Operator };

/** Everything that names the person: in records, beside them, in documents. */
async function namedIn({ store }: Pick<Desk, "store">): Promise<number> {
  const documents = ["approval", "grant", "asked", "inbox", "effect"].map((kind) =>
    store.inner.documents({ kind, accountId: "acct_1", limit: 100 }),
  );
  const all = [await keptText(store.inner), JSON.stringify(await Promise.all(documents))];
  return all.join("").split(person).length - 1;
}

async function problemsAfter(desk: Asking): Promise<string[]> {
  await desk.seat.close();
  await desk.operator.close();
  const verification = await desk.seat.verify();
  return [verification.status, ...problemsOf(verification)];
}

test("of a call that was approved, denied or never answered nothing is left but who decided what", async () => {
  for (const answer of ["approve", "deny", "approveForSession"] as const) {
    // A host's own policy is answered for one call, and for no session.
    const desk = openAsking(answer === "approveForSession" ? {} : { evaluatePreTool });
    const { outcome, approval } = await begin(desk, letter);
    await desk.operator[answer](approval.approvalId, { note: `${person} has asked for it` });
    await outcome;
    expect(await namedIn(desk)).toBeGreaterThan(3);
    await desk.seat.erase(approval.callId);
    expect(await namedIn(desk)).toBe(0);
    const left = await desk.operator.get(approval.approvalId);
    const { note: _, ...kept } = left;
    expect(kept).toStrictEqual(left);
    expect(left).toMatchObject({
      status: answer === "deny" ? "denied" : "used",
      decidedBy: boss,
      input: null,
      reason: "(erased)",
      erased: true,
    });
    expect(left.inputHash).not.toBe(approval.inputHash);
    expect(await problemsAfter(desk)).toStrictEqual(["ok"]);
  }
});

test("a hash that tells a short input is gone as well, and what was found by it", async () => {
  const desk = openAsking();
  const approval = await ask(desk, letter);
  await desk.seat.erase(approval.callId);
  const rows = JSON.stringify([
    await desk.store.inner.documents({ kind: "approval", accountId: "acct_1", limit: 9 }),
    await desk.store.inner.documents({ kind: "asked", accountId: "acct_1", limit: 9 }),
  ]);
  expect([rows.includes(approval.inputHash), rows.includes(fitOf(approval))]).toStrictEqual([false, false]);
});

describe("a question that is open is closed by it:", () => {
  test("nothing is answered any more, and the same call is asked about anew", async () => {
    const desk = openAsking();
    const { approvalId, callId } = await ask(desk, letter);
    await desk.seat.erase(callId);
    expect(await desk.operator.list()).toStrictEqual([]);
    await expect(desk.operator.approve(approvalId)).rejects.toMatchObject({ code: "invalid_transition" });
    expect((await ask(desk, letter)).approvalId).not.toBe(approvalId);
  });

  test("a yes that was not used counts no more", async () => {
    const desk = openAsking();
    const { approvalId, callId } = await ask(desk, letter);
    await desk.operator.approve(approvalId);
    await desk.seat.erase(callId);
    expect(codeOf(await desk.call({ ...letter, approvalId }))).toBe("approval_mismatch");
    expect(codeOf(await desk.call(letter))).toBe("approval_required");
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("a call that waits ends, and leaves nothing of its input behind", async () => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk, letter);
    await desk.seat.erase(approval.callId);
    expect(await outcome).toMatchObject({
      type: "refused",
      error: {
        code: "approval_mismatch",
        message: expect.stringContaining("what it was about was erased"),
      },
    });
    expect(await namedIn(desk)).toBe(0);
    expect(await storyOf(desk)).toStrictEqual([
      "call.waiting pending",
      "call.refused superseded approval_mismatch",
    ]);
    expect(await problemsAfter(desk)).toStrictEqual(["ok"]);
  });

  test("a call that a dead process has left waiting ends, and says nothing of an input that it had not", async () => {
    const desk = openAsking(waiting);
    const { approval } = await begin(desk, letter);
    await desk.store.die();
    const options = { ...waiting, deck: desk.deck, clock: desk.clock };
    const next = { ...reopenDesk(desk, options), operator: desk.operator };
    // Another process erases it, which is not the call's own.
    const eraser = reopenDesk(desk, { ...options, life: 3 });
    await eraser.seat.erase(approval.callId);
    await eraser.seat.close();
    await next.seat.open();
    await next.seat.close();
    expect(await storyOf(next)).toStrictEqual([
      "call.waiting pending",
      expect.stringMatching(/^call\.refused superseded approval_/),
    ]);
    const refused = (await next.records()).find(({ kind }) => kind === "call.refused");
    expect([refused && "input" in refused, await namedIn(next), desk.deck.runs]).toStrictEqual([
      false,
      0,
      [],
    ]);
    expect(await problemsAfter(next)).toStrictEqual(["ok"]);
  });
});

describe("a grant that names what was asked about", () => {
  test("ends with it, on record", async () => {
    const desk = openAsking();
    const { approvalId, callId } = await ask(desk, letter);
    const { grantId } = await desk.operator.approveForSession(approvalId, { fixed: ["/name"] });
    expect(codeOf(await desk.call(letter))).toBe("completed");
    await desk.seat.erase(callId);
    expect(await desk.operator.grants()).toStrictEqual([]);
    expect((await desk.records()).filter(({ kind }) => kind === "grant.revoked")).toMatchObject([
      { grantId },
    ]);
    expect(codeOf(await desk.call(letter))).toBe("approval_required");
    const rows = await desk.store.inner.documents({ kind: "grant", accountId: "acct_1", limit: 9 });
    expect(JSON.stringify(rows)).not.toContain(person);
    expect(await problemsAfter(desk)).toStrictEqual(["ok"]);
  });

  test("and names nothing of it goes on, also when one of its uses is erased", async () => {
    const desk = openAsking();
    const { approvalId, callId } = await ask(desk, letter);
    await desk.operator.approveForSession(approvalId);
    const used = await desk.call(letter);
    await desk.seat.erase(callId);
    await desk.seat.erase(used.type === "completed" ? used.result.callId : "");
    expect(await namedIn(desk)).toBe(0);
    expect(codeOf(await desk.call({ ...write, input: { text: "b" } }))).toBe("completed");
    expect(await problemsAfter(desk)).toStrictEqual(["ok"]);
  });
});

test("erasing the call that an approval was used for erases what the approval shows, whoever had asked", async () => {
  const desk = openAsking();
  const asked = await ask(desk, letter);
  await desk.operator.approve(asked.approvalId, { note: `yes for ${person}` });
  const used = await desk.call(letter);
  await desk.seat.erase(used.type === "completed" ? used.result.callId : "");
  expect(await desk.operator.get(asked.approvalId)).toMatchObject({ status: "used", erased: true });
  // What is left is the first call's own.
  expect(await namedIn(desk)).toBe(1);
  await desk.seat.erase(asked.callId);
  expect(await namedIn(desk)).toBe(0);
});

test("erasing a call that only came upon the question of another leaves that open", async () => {
  const desk = openAsking();
  const first = await ask(desk, letter);
  const second = await desk.call(letter);
  await desk.seat.erase(second.type === "refused" ? (second.receipt?.callId ?? "") : "");
  expect(await pending(desk.operator)).toStrictEqual(first);
});
