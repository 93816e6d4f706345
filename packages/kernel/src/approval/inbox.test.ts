// J3, A2, B22: an operator beside the process that writes leaves a word in the inbox. It is journaled there once, and counts only
// with the installation's proof.
import {
  type ApprovalErrand,
  canonicalJson,
  heldSecrets,
  type JournalRecord,
  RecoveryNeededError,
} from "@spfunctions/contracts";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ManualClock } from "../../test-data/call-clock.ts";
import {
  codeOf,
  type Desk,
  type DeskOptions,
  installation,
  keptText,
  openDesk,
  otherInstallation,
  principalOf,
  reopenDesk,
} from "../../test-data/call-desk.ts";
import { countingIds } from "../../test-data/call-ids.ts";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { settlement, turn, until } from "../../test-data/call-waiting.ts";
import type { DocumentWrite, Store, StoredDocument } from "../store/store.ts";
import { type GuestOperatorOptions, openGuestOperator } from "./guest-operator.ts";
import { putErrand } from "./inbox.ts";

const policy = {
  maxSideEffect: "user_write",
  approvals: { requireForSideEffectAtOrAbove: "user_write" },
} as const;
const options: DeskOptions = { levels: [{ level: "agent", policy }], sessionId: "monday" };
const boss = principalOf("acct_1", { keyId: "boss", kind: "operator", scopes: ["admin"] });
const call = { tool: "notes.write", input: { text: "a" } };

/** An operator of another process on the same store. */
function guestOf(store: Store, clock: ManualClock, changes: Partial<GuestOperatorOptions> = {}) {
  const ids = countingIds(7);
  return openGuestOperator({ store, clock, installation, ids, principal: boss, waitMs: 1000, ...changes });
}

async function asked(given: DeskOptions = {}): Promise<{ readonly desk: Desk; readonly id: string }> {
  const desk = openDesk({ ...options, ...given });
  expect(codeOf(await desk.call(call))).toBe("approval_required");
  const [approval] = await guestOf(desk.store.inner, desk.clock).list();
  return { desk, id: approval?.approvalId ?? "" };
}

const errandOf = (approvalId: string, by = boss) =>
  ({
    type: "answer",
    id: "errand_1",
    by,
    until: "2099-01-01T00:00:00.000Z",
    approvalId,
    answer: "approved",
  }) as unknown as ApprovalErrand;
const { keyHash } = installation;
type Put = Extract<DocumentWrite, { type: "put" }>;
const leftFor = (id: string, proves = keyHash, by = boss) => putErrand(errandOf(id, by), proves) as Put;

async function inboxOf(store: Store): Promise<StoredDocument[]> {
  return await store.documents({ kind: "inbox", accountId: "acct_1", limit: 100 });
}

async function answersIn(desk: Desk) {
  const records = await desk.records();
  return records.filter(
    (one): one is Extract<JournalRecord, { kind: "approval.answered" }> => one.kind === "approval.answered",
  );
}

describe("an answer from beside", () => {
  test("is journaled by the seat that writes, with whose it was; the same call runs then, and nothing is left over", async () => {
    const { desk, id } = await asked();
    const approval = await guestOf(desk.store.inner, desk.clock).approve(id, { note: "fine" });
    expect(approval).toMatchObject({ approvalId: id, status: "approved", decidedBy: boss, note: "fine" });
    expect(await answersIn(desk)).toMatchObject([
      { approvalId: id, answer: "approved", status: "approved", by: boss },
    ]);
    expect([await inboxOf(desk.store.inner), codeOf(await desk.call(call))]).toStrictEqual([[], "completed"]);
    expect(desk.deck.runs).toHaveLength(1);
    await desk.seat.close();
    expect((await desk.seat.verify()).status).toBe("ok");
  });

  test("lets a call that waits go on, or end with who said no and why", async () => {
    const desk = openDesk({ ...options, asking: "wait" });
    const guest = guestOf(desk.store.inner, desk.clock);
    const decide = async (act: (id: string) => Promise<unknown>) => {
      const waiting = desk.call(call);
      await until(() => desk.events.at(-1)?.type === "approval.required");
      const [one] = await guest.list();
      await act(one?.approvalId ?? "");
      return await waiting;
    };
    expect(codeOf(await decide((id) => guest.approve(id)))).toBe("completed");
    const denied = await decide((id) => guest.deny(id, { note: "not on a Monday" }));
    expect(denied).toMatchObject({
      type: "refused",
      error: {
        code: "approval_denied",
        message: expect.stringContaining("boss has denied it, and says: not on a Monday"),
      },
    });
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("can be for a session, on its terms, and be taken back", async () => {
    const { desk, id } = await asked();
    const guest = guestOf(desk.store.inner, desk.clock);
    const { grantId } = await guest.approveForSession(id, { fixed: ["/text"], maxUses: 5, forMs: 60_000 });
    expect(await guest.grants()).toMatchObject([
      { grantId, fixedInput: { "/text": "a" }, maxUses: 5, uses: 0 },
    ]);
    expect([codeOf(await desk.call(call)), codeOf(await desk.call(call))]).toStrictEqual([
      "completed",
      "completed",
    ]);
    await guest.revoke(grantId ?? "");
    expect([await guest.grants(), codeOf(await desk.call(call))]).toStrictEqual([[], "approval_required"]);
    expect((await desk.records()).filter(({ kind }) => kind === "grant.revoked")).toMatchObject([
      { grantId, by: boss },
    ]);
    await expect(guest.revoke(grantId ?? "")).rejects.toMatchObject({ code: "not_found" });
  });

  test("that does not count is refused in the words of the writer, and is on record", async () => {
    const { desk, id } = await asked();
    const { inner } = desk.store;
    const asker = guestOf(inner, desk.clock, { principal: principalOf() });
    const guest = guestOf(inner, desk.clock);
    await expect(asker.approve(id)).rejects.toMatchObject({ code: "forbidden", details: { approvalId: id } });
    await expect(guest.approve("appr_00000000")).rejects.toMatchObject({ code: "not_found" });
    await expect(guest.approveForSession(id, { maxUses: 0 })).rejects.toMatchObject({
      code: "invalid_input",
      details: { reason: "max_uses" },
    });
    await guest.deny(id);
    await expect(guest.approve(id)).rejects.toMatchObject({
      code: "invalid_transition",
      message: `${id} was denied by boss: the first answer stands; "approved" changes nothing`,
    });
    expect(
      (await answersIn(desk)).map(({ answer, status, error }) => error?.code ?? [answer, status]),
    ).toStrictEqual(["forbidden", "not_found", "invalid_input", ["denied", "denied"], "invalid_transition"]);
    expect(await inboxOf(inner)).toStrictEqual([]);
  });

  test("that was given before by the same operator is told what stands", async () => {
    const { desk, id } = await asked();
    const guest = guestOf(desk.store.inner, desk.clock);
    const first = await guest.deny(id);
    expect(await guestOf(desk.store.inner, desk.clock, { ids: countingIds(8) }).deny(id)).toStrictEqual(
      first,
    );
    expect(await answersIn(desk)).toHaveLength(1);
    expect(await inboxOf(desk.store.inner)).toStrictEqual([]);
  });

  test("S1: keeps no secret in the store, not even while it lies there", async () => {
    const secret = "hunter2-hunter2-hunter2-hunter2";
    heldSecrets.add(secret, "password");
    onTestFinished(() => heldSecrets.remove(secret));
    const { desk, id } = await asked();
    const store = new FaultyStore(desk.store.inner);
    const guest = guestOf(store, desk.clock);
    await guest.deny(id, { note: `the word is ${secret}` });
    await expect(guest.revoke(secret)).rejects.toMatchObject({ code: "not_found" });
    expect(store.units).toHaveLength(4);
    expect(store.units.filter((unit) => JSON.stringify(unit).includes(secret))).toStrictEqual([]);
  });
});

describe("an answer that nobody takes", () => {
  test("is taken back when its time is over, and nothing is decided, also later", async () => {
    const { desk, id } = await asked();
    await desk.store.die();
    const guest = guestOf(desk.store.inner, desk.clock);
    const answering = settlement(guest.approve(id));
    await until(() => desk.clock.waits.includes(1000));
    expect((await inboxOf(desk.store.inner)).map(({ status }) => status)).toStrictEqual(["left"]);
    desk.clock.advance(1000);
    expect(await answering).toMatchObject({
      state: "broken",
      error: { code: "timeout", details: { reason: "not_taken", waitMs: 1000 } },
    });
    expect(await inboxOf(desk.store.inner)).toStrictEqual([]);
    const next = reopenDesk(desk, { ...options, clock: desk.clock });
    await next.seat.open();
    expect((await guest.get(id)).status).toBe("pending");
    expect(desk.clock.waiting).toBe(0);
  });

  test("is taken back when its time is over, also on a clock that was set back", async () => {
    const { desk, id } = await asked();
    await desk.store.die();
    const answering = settlement(guestOf(desk.store.inner, desk.clock).approve(id));
    await until(() => desk.clock.waits.includes(1000));
    desk.clock.jump(-3_600_000);
    desk.clock.advance(1000);
    expect(await answering).toMatchObject({ state: "broken", error: { code: "timeout" } });
    expect(await inboxOf(desk.store.inner)).toStrictEqual([]);
  });

  test("is taken back when whoever gave it wants no more", async () => {
    const { desk, id } = await asked();
    await desk.store.die();
    const ending = new AbortController();
    const answering = settlement(
      guestOf(desk.store.inner, desk.clock, { signal: ending.signal }).approve(id),
    );
    await until(() => desk.clock.waits.includes(1000));
    ending.abort();
    expect(await answering).toMatchObject({ state: "broken", error: { code: "cancelled" } });
    expect(await inboxOf(desk.store.inner)).toStrictEqual([]);
  });

  test("and whose owner is gone, is taken by whoever opens the store next, before it makes a call", async () => {
    const { desk, id } = await asked();
    await desk.store.die();
    await leave(desk.store.inner, leftFor(id));
    const next = reopenDesk(desk, { ...options, clock: desk.clock });
    expect(codeOf(await next.call(call))).toBe("completed");
    expect((await answersIn(next)).map(({ status }) => status)).toStrictEqual(["approved"]);
  });

  test("and was taken back stays so, whoever puts the row back: nobody waits for it any more", async () => {
    const { desk, id } = await asked();
    const { inner } = desk.store;
    await desk.store.die();
    const answering = settlement(guestOf(inner, desk.clock).approve(id));
    await until(() => desk.clock.waits.includes(1000));
    const [row] = await inboxOf(inner);
    desk.clock.advance(1000);
    expect(await answering).toMatchObject({ error: { code: "timeout" } });
    desk.clock.advance(1);
    if (row === undefined) throw new Error("nothing was left");
    const { revision: _, ...document } = row;
    await leave(inner, { ...document, type: "put", expects: 0 });
    const next = reopenDesk(desk, { ...options, clock: desk.clock });
    expect(codeOf(await next.call(call))).toBe("approval_required");
    expect(await answersIn(next)).toStrictEqual([]);
    const told = (await inboxOf(inner)).map(({ status, body }) => [status, body.includes("not_taken")]);
    expect(told).toStrictEqual([["done", true]]);
  });

  test("is not taken where it was taken back meanwhile", async () => {
    const { desk, id } = await asked();
    const { inner } = desk.store;
    const held = Promise.withResolvers<void>();
    desk.store.fault = atFirst("approval.answered", { type: "wait", for: held.promise });
    const guest = guestOf(inner, desk.clock);
    const answering = settlement(guest.approve(id));
    await until(() =>
      desk.store.units.some(({ wakes = [] }) =>
        wakes.includes("errand errand_00000007-0000-4000-8000-000000000001"),
      ),
    );
    desk.clock.advance(1000);
    expect(await answering).toMatchObject({ state: "broken", error: { code: "timeout" } });
    held.resolve();
    await turn();
    await desk.seat.close();
    expect([(await guest.get(id)).status, await answersIn(desk), await inboxOf(inner)]).toStrictEqual([
      "pending",
      [],
      [],
    ]);
    expect((await desk.seat.verify()).status).toBe("ok");
  });
});

describe("a word about an effect of which nobody knows what became (X1)", () => {
  async function unknownIn(): Promise<{ readonly desk: Desk; readonly id: string }> {
    const deed = () => {
      throw new RecoveryNeededError("the venue hung up");
    };
    const desk = openDesk({ levels: [{ level: "agent", policy: { maxSideEffect: "user_write" } }], deed });
    expect(codeOf(await desk.call(call))).toBe("recovery_needed");
    return { desk, id: (await desk.seat.unknown())[0]?.effectId ?? "" };
  }
  const seen = { status: "completed", note: "seen" } as const;
  const said = async (desk: Desk) =>
    (await desk.records()).filter(({ kind }) => kind === "call.resolved") as object[];

  test("is journaled by the seat that writes, once, with whose it was, and nothing is left over", async () => {
    const { desk, id } = await unknownIn();
    const guest = guestOf(desk.store.inner, desk.clock);
    await guest.resolve(id, seen);
    expect(await desk.seat.unknown()).toStrictEqual([]);
    await expect(guest.resolve(id, { ...seen, status: "failed" })).rejects.toMatchObject({
      code: "not_found",
      details: { effectId: id },
    });
    expect(await said(desk)).toMatchObject([{ effectId: id, status: "completed", by: boss }]);
    expect(await inboxOf(desk.store.inner)).toStrictEqual([]);
    await desk.seat.close();
    expect((await desk.seat.verify()).status).toBe("ok");
  });

  test("S1: keeps no secret in the store, and is looked at before it is left there", async () => {
    const { desk, id } = await unknownIn();
    const secret = "hunter2-hunter2-hunter2-hunter2";
    heldSecrets.add(secret, "password");
    onTestFinished(() => heldSecrets.remove(secret));
    const guest = guestOf(desk.store.inner, desk.clock);
    await expect(guest.resolve(id, { ...seen, note: " " })).rejects.toMatchObject({ code: "invalid_input" });
    await guest.resolve(id, { ...seen, note: `asked with ${secret}` });
    expect((await keptText(desk.store.inner)).includes(secret)).toBe(false);
    const left = desk.store.units.flatMap(({ documents = [] }) => documents);
    expect(JSON.stringify(left)).not.toContain(secret);
  });

  test("A2, B22: counts only with the installation's proof, and from a person", async () => {
    const { desk, id } = await unknownIn();
    const { inner } = desk.store;
    const errand = { ...errandOf(id), type: "effect", effectId: id, ...seen } as unknown as ApprovalErrand;
    const { approvalId: _a, answer: _b, ...left } = errand as unknown as Record<string, unknown>;
    const forged = putErrand(left as unknown as ApprovalErrand, otherInstallation.keyHash) as Put;
    const byRun = { ...left, id: "errand_2", by: { ...boss, kind: "run" } } as unknown as ApprovalErrand;
    await leave(inner, forged);
    await leave(inner, putErrand(byRun, keyHash) as Put);
    const stranger = guestOf(inner, desk.clock, { installation: otherInstallation });
    await expect(stranger.resolve(id, seen)).rejects.toMatchObject({ code: "host_configuration_needed" });
    // The driver's, after them: what lay there is taken.
    await guestOf(inner, desk.clock)
      .revoke("grant_00000000")
      .catch(() => undefined);
    expect((await inboxOf(inner)).map(({ status }) => status)).toStrictEqual(["done", "done"]);
    expect([await said(desk), (await desk.seat.unknown()).length]).toStrictEqual([[], 1]);
  });
});

async function leave(store: Store, document: Put): Promise<void> {
  const unit = { durability: "power", now: 1, documents: [document], wakes: ["inbox acct_1"] } as const;
  expect(await store.commit(unit)).toStrictEqual({ type: "committed" });
}

/** Something that was proved, and changed after that. */
const changed = (id: string, edit: (value: ApprovalErrand) => object): Put => {
  const write = leftFor(id);
  const kept = JSON.parse(write.body) as { value: ApprovalErrand };
  return { ...write, body: canonicalJson({ ...kept, value: edit(kept.value) }) };
};

describe("what counts for nothing (B22)", () => {
  const elsewhere = { ...boss, accountId: "acct_2" };
  const forgeries: readonly [string, (id: string) => Put][] = [
    ["no proof", (id) => ({ ...leftFor(id), body: canonicalJson({ value: errandOf(id) }) })],
    ["another installation's proof", (id) => leftFor(id, otherInstallation.keyHash)],
    ["an answer that was turned round", (id) => changed(id, (value) => ({ ...value, answer: "denied" }))],
    ["a word that is no answer", (id) => changed(id, (value) => ({ ...value, answer: "approve" }))],
    [
      "somebody else's name on it",
      (id) => changed(id, (value) => ({ ...value, by: { ...value.by, keyId: "ceo" } })),
    ],
    ["a copy in another place", (id) => ({ ...leftFor(id), id: "errand_2" })],
    ["another account's, copied here", (id) => ({ ...leftFor(id, keyHash, elsewhere), accountId: "acct_1" })],
    ["no JSON at all", (id) => ({ ...leftFor(id), body: "{" })],
  ];

  test.each(forgeries)("%s", async (_, forge) => {
    const { desk, id } = await asked();
    const { inner } = desk.store;
    await leave(inner, forge(id));
    const isDone = async () => (await inboxOf(inner)).every(({ status }) => status === "done");
    // The driver's, after it: what lay there is taken.
    await guestOf(inner, desk.clock)
      .revoke("grant_00000000")
      .catch(() => undefined);
    expect([await isDone(), await answersIn(desk)]).toStrictEqual([true, []]);
    expect((await guestOf(inner, desk.clock).get(id)).status).toBe("pending");
  });

  test("whoever has another secret is told so, and reads nothing either", async () => {
    const { desk, id } = await asked();
    const stranger = guestOf(desk.store.inner, desk.clock, { installation: otherInstallation });
    for (const tried of [stranger.approve(id), stranger.list(), stranger.get(id)])
      await expect(tried).rejects.toMatchObject({ code: "host_configuration_needed" });
    expect(await answersIn(desk)).toStrictEqual([]);
  });

  test("an outcome that nobody came for is cleared away, an outcome of a moment ago is not", async () => {
    const { desk, id } = await asked();
    const { inner } = desk.store;
    await leave(inner, leftFor(id));
    await until(() => desk.store.units.some(({ wakes = [] }) => wakes.includes("errand errand_1")));
    const statuses = async () => (await inboxOf(inner)).map((one) => [one.id, one.status]);
    await guestOf(inner, desk.clock)
      .deny("appr_00000000")
      .catch(() => undefined);
    expect(await statuses()).toStrictEqual([["errand_1", "done"]]);
    desk.clock.jump(60_000);
    await guestOf(inner, desk.clock, { ids: countingIds(8) })
      .deny("appr_00000000")
      .catch(() => undefined);
    await desk.seat.close();
    expect(await statuses()).toStrictEqual([]);
  });
});

describe("an answer is taken once", () => {
  test.each([
    ["written", true],
    ["not written", false],
  ])("also by a process that dies in its commit, %s", async (_, written) => {
    const { desk, id } = await asked();
    desk.store.fault = atFirst("approval.answered", { type: "die", written });
    const guest = guestOf(desk.store.inner, desk.clock);
    const answering = guest.approve(id);
    await desk.store.died.promise;
    const next = reopenDesk(desk, { ...options, clock: desk.clock });
    expect(codeOf(await next.call(call))).toBe("completed");
    expect(await answering).toMatchObject({ approvalId: id, decidedBy: boss });
    expect((await answersIn(next)).map(({ status }) => status)).toStrictEqual(["approved"]);
    expect(await inboxOf(desk.store.inner)).toStrictEqual([]);
  });

  test("also where two seats of the account hear of it", async () => {
    const { desk, id } = await asked();
    const other = reopenDesk(desk, { ...options, clock: desk.clock });
    await other.seat.open();
    expect(await guestOf(desk.store.inner, desk.clock).approve(id)).toMatchObject({ status: "approved" });
    await Promise.all([desk.seat.close(), other.seat.close()]);
    expect((await answersIn(desk)).map(({ status }) => status)).toStrictEqual(["approved"]);
  });

  test("a store that fails when it is to be written keeps it for the next that comes", async () => {
    const { desk, id } = await asked();
    desk.store.fault = atFirst("approval.answered", { type: "throw" });
    const guest = guestOf(desk.store.inner, desk.clock);
    const answering = guest.approve(id);
    await until(() =>
      desk.store.units.some(({ wakes = [] }) => wakes.some((one) => one.startsWith("errand "))),
    );
    await turn();
    await guestOf(desk.store.inner, desk.clock, { ids: countingIds(8) })
      .deny("appr_00000000")
      .catch(() => undefined);
    expect(await answering).toMatchObject({ status: "approved" });
  });
});
