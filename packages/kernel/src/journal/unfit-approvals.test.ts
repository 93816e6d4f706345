// A1, B22: what is kept of approvals is held against the journal. A row that says more than the records, or less, or something else,
// is named; also one that this installation itself had written once, and somebody has put back.
import { describe, expect, test } from "vitest";
import { ask, begin, openAsking, pending, write } from "../../test-data/call-approvals.ts";
import { type Desk, installation } from "../../test-data/call-desk.ts";
import { putApproval, putGrant } from "../approval/kept-approval.ts";
import type { Operator } from "../approval/open-operator.ts";
import type { DocumentWrite, StoredDocument } from "../store/store.ts";
import { problemsOf, verifyAccount } from "./verify-account.ts";

const accountId = "acct_1";
const { keyHash } = installation;
type Put = Extract<DocumentWrite, { type: "put" }>;
type Asking = Desk & { readonly operator: Operator };

async function rowOf({ store }: Asking, id: string, kind = "approval"): Promise<StoredDocument> {
  const row = await store.inner.document({ kind, accountId, id });
  if (row === undefined) throw new Error(`there is no ${id}`);
  return row;
}

/** Writes a row as whoever has the whole installation in hand could, but without a record. */
async function put({ store }: Asking, { kind, id, status, body }: Put | StoredDocument): Promise<void> {
  const now = await store.inner.document({ kind, accountId, id });
  const documents = [
    { type: "put", kind, accountId, id, expects: now?.revision ?? 0, status, body },
  ] as const;
  expect(await store.inner.commit({ durability: "process", now: 0, documents })).toStrictEqual({
    type: "committed",
  });
}

async function problemsIn({ store }: Asking): Promise<string[]> {
  return problemsOf(await verifyAccount(store.inner, accountId));
}

const unfit = (id: string) => [`${id}: what is kept of it is not what the journal says of it`];

test("approvals of every end fit their journal", async () => {
  const desk = openAsking();
  const wait = async (text: string, act: (id: string) => unknown, signal?: AbortSignal) => {
    const { outcome, approval } = await begin(desk, { ...write, input: { text }, signal });
    await act(approval.approvalId);
    await outcome;
  };
  const controller = new AbortController();
  await wait("approved", (id) => desk.operator.approve(id));
  await wait("denied", (id) => desk.operator.deny(id));
  await wait("cancelled", () => controller.abort(), controller.signal);
  await wait("expired", () => desk.clock.advance(60_000));
  await wait("erased", async () => await desk.seat.erase((await pending(desk.operator)).callId));
  await ask(desk, { ...write, input: { text: "open" } });
  const { approvalId } = await ask(desk);
  const { grantId } = await desk.operator.approveForSession(approvalId, { maxUses: 9 });
  await desk.call(write);
  await desk.call(write);
  await desk.operator.revoke(grantId ?? "");
  expect((await desk.operator.list({ status: "any" })).map(({ status }) => status)).toStrictEqual([
    "used",
    "denied",
    "cancelled",
    "expired",
    "superseded",
    "pending",
    "approved_for_session",
    "used",
    "used",
  ]);
  expect(await problemsIn(desk)).toStrictEqual([]);
});

describe("named is an approval", () => {
  test.each(["approved", "denied", "approved_for_session", "used"] as const)(
    "that is %s without anybody having said so",
    async (status) => {
      const desk = openAsking();
      const approval = await ask(desk);
      await put(desk, putApproval({ ...approval, status, usedBy: approval.callId }, 0, keyHash) as Put);
      expect(await problemsIn(desk)).toStrictEqual(unfit(approval.approvalId));
      expect((await verifyAccount(desk.store.inner, accountId)).status).toBe("broken");
    },
  );

  test("that is approved where the journal has a denial, and the other way round", async () => {
    for (const [answer, status] of [
      ["deny", "approved"],
      ["approve", "denied"],
    ] as const) {
      const desk = openAsking();
      const approval = await ask(desk);
      await desk.operator[answer](approval.approvalId);
      await put(desk, putApproval({ ...approval, status }, 0, keyHash) as Put);
      expect(await problemsIn(desk)).toStrictEqual(unfit(approval.approvalId));
    }
  });

  test("that was used, and was put back as it was when it was approved", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    await desk.operator.approve(approvalId);
    const approved = await rowOf(desk, approvalId);
    await desk.call(write);
    expect(await problemsIn(desk)).toStrictEqual([]);
    await put(desk, approved);
    expect(await problemsIn(desk)).toStrictEqual(unfit(approvalId));
  });

  test("that was answered, and was put back as it was before", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    const before = await rowOf(desk, approvalId);
    await desk.operator.deny(approvalId);
    await put(desk, before);
    expect(await problemsIn(desk)).toStrictEqual(unfit(approvalId));
  });

  test("that was answered, or used, and is gone", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    await desk.operator.approve(approvalId);
    await desk.call(write);
    const { revision: expects } = await rowOf(desk, approvalId);
    const documents = [{ type: "remove", kind: "approval", accountId, id: approvalId, expects }] as const;
    await desk.store.inner.commit({ durability: "process", now: 0, documents });
    expect(await problemsIn(desk)).toStrictEqual(unfit(approvalId));
  });

  test("that cannot be read, or is listed as what it is not", async () => {
    for (const change of [{ body: "{}" }, { status: "approved" }]) {
      const desk = openAsking();
      const { approvalId } = await ask(desk);
      await put(desk, { ...(await rowOf(desk, approvalId)), ...change });
      expect(await problemsIn(desk)).toStrictEqual(unfit(approvalId));
    }
  });
});

async function granted() {
  const desk = openAsking();
  const { approvalId } = await ask(desk);
  const { grantId = "" } = await desk.operator.approveForSession(approvalId, { maxUses: 2 });
  const [grant] = await desk.operator.grants();
  if (grant === undefined) throw new Error("there is no grant");
  return { ...desk, grantId, grant };
}

describe("named is a grant", () => {
  test("that nobody has given", async () => {
    const desk = await granted();
    const forged = { ...desk.grant, grantId: "grant_00000000-forged" as typeof desk.grant.grantId };
    await put(desk, putGrant(forged, 0, keyHash) as Put);
    expect(await problemsIn(desk)).toStrictEqual(unfit("grant_00000000-forged"));
  });

  test("whose uses were put back", async () => {
    const desk = await granted();
    const before = await rowOf(desk, desk.grantId, "grant");
    await desk.call(write);
    await put(desk, before);
    expect(await problemsIn(desk)).toStrictEqual(unfit(desk.grantId));
  });

  test("that was taken back, and stands again", async () => {
    const desk = await granted();
    const before = await rowOf(desk, desk.grantId, "grant");
    await desk.operator.revoke(desk.grantId);
    await put(desk, before);
    expect(await problemsIn(desk)).toStrictEqual(unfit(desk.grantId));
  });

  test("that was given, and is gone", async () => {
    const desk = await granted();
    const { revision: expects } = await rowOf(desk, desk.grantId, "grant");
    const documents = [{ type: "remove", kind: "grant", accountId, id: desk.grantId, expects }] as const;
    await desk.store.inner.commit({ durability: "process", now: 0, documents });
    expect(await problemsIn(desk)).toStrictEqual(unfit(desk.grantId));
  });
});

test("what is answered and used while the journal is looked through is no problem", async () => {
  const desk = openAsking();
  for (let n = 0; n < 6; n++) {
    await ask(desk, { ...write, input: { n } });
  }
  const questions = await desk.operator.list();
  const { store } = desk;
  let isBusy = false;
  const meanwhile = async () => {
    const next = isBusy ? undefined : questions.pop();
    if (next === undefined) return;
    isBusy = true;
    await desk.operator.approve(next.approvalId);
    await desk.seat.call({ ...write, input: next.input });
    isBusy = false;
  };
  store.beforeRead = meanwhile;
  store.beforeDocument = meanwhile;
  for (let round = 0; round < 4; round++) {
    expect(problemsOf(await verifyAccount(store, accountId))).toStrictEqual([]);
  }
  expect([questions.length, desk.deck.runs.length]).toStrictEqual([0, 6]);
});
