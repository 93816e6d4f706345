// B22, B1: whoever can write the store cannot approve with it. What this installation did not write, or not there, counts for nothing.
import { canonicalJson } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import {
  answersIn,
  ask,
  asking,
  begin,
  boss,
  openAsking,
  operatorOf,
  pending,
  storyOf,
  waiting,
  write,
} from "../../test-data/call-approvals.ts";
import {
  codeOf,
  type DeskOptions,
  openDesk,
  otherInstallation,
  principalOf,
  reopenDesk,
} from "../../test-data/call-desk.ts";
import type { FaultyStore } from "../../test-data/call-store.ts";
import { until } from "../../test-data/call-waiting.ts";
import type { DocumentWrite, Store, StoredDocument } from "../store/store.ts";
import { fitOf } from "./approval-fit.ts";
import { approvalWake } from "./approval-wake.ts";
import { putApproval, putGrant } from "./kept-approval.ts";

type Body = { value: Record<string, unknown>; proof: string };
type Row = Pick<StoredDocument, "status" | "body">;
const accountId = "acct_1";

async function rowOf(store: Store, id: string, kind = "approval"): Promise<StoredDocument> {
  const document = await store.document({ kind, accountId, id });
  if (document === undefined) throw new Error(`there is no ${id}`);
  return document;
}

/** Puts another row in the place of one. */
async function replace(
  { store }: { readonly store: FaultyStore },
  id: string,
  change: (row: Row) => Row,
  kind = "approval",
): Promise<void> {
  const { status, body, revision } = await rowOf(store.inner, id, kind);
  const changed = {
    type: "put",
    kind,
    accountId,
    id,
    expects: revision,
    ...change({ status, body }),
  } as const;
  const result = await store.inner.commit({ durability: "process", now: 0, documents: [changed] });
  expect(result.type).toBe("committed");
}

const edited = (changes: object) => (row: Row) => {
  const { value, proof } = JSON.parse(row.body) as Body;
  return { ...row, body: canonicalJson({ value: { ...value, ...changes }, proof }) };
};

function rowIn(put: DocumentWrite): Row {
  const { status, body } = put as Extract<DocumentWrite, { type: "put" }>;
  return { status, body };
}

const forgeries: Readonly<Record<string, (row: Row) => Row>> = {
  "its status in the list": (row) => ({ ...row, status: "approved" }),
  "its status in the body": edited({ status: "approved" }),
  "its status in both": (row) => ({
    ...edited({ status: "approved", decidedBy: boss })(row),
    status: "approved",
  }),
  "its input": edited({ input: { text: "mallory" } }),
  "its time": edited({ expiresAt: "2099-01-01T00:00:00.000Z" }),
  "whoever may answer": edited({ approvers: ["key_1"] }),
  "whoever asked": edited({ asker: { accountId, keyId: "key_9", scopes: [], kind: "local" } }),
  "its proof": (row) => ({
    ...row,
    body: canonicalJson({ ...(JSON.parse(row.body) as Body), proof: "0".repeat(64) }),
  }),
  "all of it, with the proof of another installation": (row) => {
    const { value } = JSON.parse(row.body) as Body;
    return rowIn(putApproval({ ...value, status: "approved" } as never, 0, otherInstallation.keyHash));
  },
  "a field more": edited({ forged: true }),
  "no JSON": (row) => ({ ...row, status: "approved", body: "approved" }),
};

describe("a row that somebody has changed", () => {
  test.each(Object.entries(forgeries))(
    "approves nothing, and is no question any more: %s",
    async (_, change) => {
      const desk = openAsking();
      const { approvalId } = await ask(desk);
      await replace(desk, approvalId, change);
      // Named, it is like one that is nowhere; else a new question is put.
      expect(codeOf(await desk.call({ ...write, approvalId }))).toBe("approval_mismatch");
      const again = await ask(desk);
      expect(again.approvalId).not.toBe(approvalId);
      expect(desk.deck.runs).toStrictEqual([]);
      expect(await desk.operator.list()).toStrictEqual([again]);
      await expect(desk.operator.get(approvalId)).rejects.toMatchObject({ code: "journal_corrupt" });
      await desk.operator.approve(again.approvalId);
      expect(codeOf(await desk.call(write))).toBe("completed");
    },
  );

  test.each(Object.entries(forgeries))("is not answered, and that is on record: %s", async (_, change) => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    await replace(desk, approvalId, change);
    const before = await rowOf(desk.store.inner, approvalId);
    await expect(desk.operator.approve(approvalId)).rejects.toMatchObject({ code: "journal_corrupt" });
    expect(await rowOf(desk.store.inner, approvalId)).toStrictEqual(before);
    expect(await answersIn(desk)).toStrictEqual(["boss approved: journal_corrupt"]);
  });

  test.each(Object.entries(forgeries))("ends a call that waits for it: %s", async (_, change) => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk);
    await replace(desk, approval.approvalId, change);
    const wakes = [approvalWake(approval.approvalId)];
    await desk.store.inner.commit({ durability: "process", now: 0, wakes });
    expect(codeOf(await outcome)).toBe("approval_mismatch");
    expect(await storyOf(desk)).toStrictEqual([
      "call.waiting pending",
      "call.refused superseded approval_mismatch",
    ]);
    expect(desk.deck.runs).toStrictEqual([]);
    await desk.seat.close();
  });

  test.each(Object.entries(forgeries))("ends a call that a dead process has left: %s", async (_, change) => {
    const desk = openAsking(waiting);
    const { approval } = await begin(desk);
    await desk.store.die();
    await replace(desk, approval.approvalId, change);
    const next = reopenDesk(desk, { ...waiting, deck: desk.deck, clock: desk.clock });
    expect((await next.seat.open()).settled).toMatchObject([{ outcome: "refused" }]);
    expect(await storyOf(next)).toStrictEqual([
      "call.waiting pending",
      "call.refused superseded approval_mismatch",
    ]);
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("while the next process looks after the call: it ends", async () => {
    const desk = openAsking(waiting);
    const { approval } = await begin(desk);
    await desk.store.die();
    const next = reopenDesk(desk, { ...waiting, deck: desk.deck, clock: desk.clock });
    await next.seat.open();
    await replace(desk, approval.approvalId, (row) => ({ ...row, status: "approved" }));
    await desk.store.inner.commit({
      durability: "process",
      now: 0,
      wakes: [approvalWake(approval.approvalId)],
    });
    await until(() => next.store.units.length > 0, "the end");
    await next.seat.close();
    expect(await storyOf(next)).toStrictEqual([
      "call.waiting pending",
      "call.refused superseded approval_mismatch",
    ]);
  });
});

async function remove({ store }: { readonly store: FaultyStore }, id: string, kind = "approval") {
  const { revision } = await rowOf(store.inner, id, kind);
  const documents = [{ type: "remove", kind, accountId, id, expects: revision }] as const;
  await store.inner.commit({ durability: "process", now: 0, documents, wakes: [approvalWake(id)] });
}

describe("a row that somebody has taken away", () => {
  test("is asked about anew", async () => {
    const desk = openAsking();
    const first = await ask(desk);
    await desk.operator.approve(first.approvalId);
    await remove(desk, first.approvalId);
    expect((await ask(desk)).approvalId).not.toBe(first.approvalId);
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("ends a call that waits for it", async () => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk);
    await remove(desk, approval.approvalId);
    expect(codeOf(await outcome)).toBe("approval_mismatch");
    await desk.seat.close();
    expect(await storyOf(desk)).toStrictEqual([
      "call.waiting pending",
      "call.refused superseded approval_mismatch",
    ]);
  });

  test("and whatever pointed to it: a new question is put", async () => {
    const desk = openAsking();
    const first = await ask(desk);
    await remove(desk, fitOf(first), "asked");
    expect((await ask(desk)).approvalId).not.toBe(first.approvalId);
  });
});

describe("a row from elsewhere", () => {
  test("of another account, copied here, approves nothing", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    await desk.operator.approve(approvalId);
    const { status, body } = await rowOf(desk.store.inner, approvalId);
    const put = { type: "put", kind: "approval", accountId: "acct_2", id: approvalId, expects: 0 } as const;
    await desk.store.inner.commit({ durability: "process", now: 0, documents: [{ ...put, status, body }] });
    const other = openDesk({ ...asking, life: 2, principal: principalOf("acct_2"), store: desk.store });
    expect(codeOf(await other.call({ ...write, approvalId }))).toBe("approval_mismatch");
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("I1: of another account, copied there, is no question that somebody there could answer", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    const { status, body } = await rowOf(desk.store.inner, approvalId);
    const put = { type: "put", kind: "approval", accountId: "acct_2", id: approvalId, expects: 0 } as const;
    await desk.store.inner.commit({ durability: "process", now: 0, documents: [{ ...put, status, body }] });
    const stranger = operatorOf(desk, { principal: { ...boss, accountId: "acct_2" }, life: 8 });
    expect(await stranger.list()).toStrictEqual([]);
    await expect(stranger.approve(approvalId)).rejects.toMatchObject({ code: "journal_corrupt" });
    expect((await desk.operator.get(approvalId)).status).toBe("pending");
  });

  test("under another name, is nothing", async () => {
    const desk = openAsking();
    const first = await ask(desk);
    await desk.operator.approve(first.approvalId);
    await desk.call(write);
    // A used approval once more, under a new name, as it was when it was approved.
    const { body } = await rowOf(desk.store.inner, first.approvalId);
    const id = "appr_11111111-copied";
    const put = { type: "put", kind: "approval", accountId, id, expects: 0, status: "used", body } as const;
    await desk.store.inner.commit({ durability: "process", now: 0, documents: [put] });
    expect(codeOf(await desk.call({ ...write, approvalId: id }))).toBe("approval_mismatch");
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("a pointer to the approval of another call finds nothing: a new question is put", async () => {
    const desk = openAsking();
    const other = await ask(desk, { ...write, input: { text: "harmless" } });
    await desk.operator.approve(other.approvalId);
    const first = await ask(desk);
    await replace(
      desk,
      fitOf(first),
      (row) => ({ ...row, body: canonicalJson({ approvalId: other.approvalId }) }),
      "asked",
    );
    const again = await ask(desk);
    expect([first.approvalId, other.approvalId]).not.toContain(again.approvalId);
    expect(desk.deck.runs).toStrictEqual([]);
    expect((await desk.operator.get(other.approvalId)).status).toBe("approved");
  });

  test("a pointer that is none finds nothing", async () => {
    const desk = openAsking();
    const first = await ask(desk);
    await replace(desk, fitOf(first), (row) => ({ ...row, body: "{" }), "asked");
    expect((await ask(desk)).approvalId).not.toBe(first.approvalId);
  });
});

describe("A1: a row that is put back as it was before its use", () => {
  /** A desk where an approval was given, its row as it was then, and whoever puts it back. */
  const approved = async (options: DeskOptions = {}) => {
    const desk = openAsking(options);
    const { approvalId } = await ask(desk);
    await desk.operator.approve(approvalId);
    const { status, body } = await rowOf(desk.store.inner, approvalId);
    return { ...desk, approvalId, putBack: () => replace(desk, approvalId, () => ({ status, body })) };
  };

  test("lets nothing run again in the process that has used it", async () => {
    const desk = await approved();
    const { approvalId, putBack } = desk;
    expect(codeOf(await desk.call(write))).toBe("completed");
    await putBack();
    expect(codeOf(await desk.call({ ...write, approvalId }))).toBe("approval_mismatch");
    expect((await ask(desk)).approvalId).not.toBe(approvalId);
    expect(desk.deck.runs).toHaveLength(1);
    expect((await desk.seat.verify()).unfit).toStrictEqual([approvalId]);
  });

  test("also while another call is about to run by it", async () => {
    let asked = 0;
    let first: string | undefined;
    const desk: Awaited<ReturnType<typeof approved>> = await approved({
      evaluatePreTool: async () => {
        asked++;
        // The judge is asked once more after the approval was found.
        if (asked === 3) {
          first = codeOf(await desk.call(write));
          await desk.putBack();
        }
        return { outcome: "allow" };
      },
    });
    const second = codeOf(await desk.call(write));
    expect([first, second]).toStrictEqual(["completed", "approval_required"]);
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("is good once more in the next one, and the journal shows it for ever, whatever row is there", async () => {
    const desk = await approved();
    const { approvalId, putBack } = desk;
    await desk.call(write);
    const used = await rowOf(desk.store.inner, approvalId);
    await desk.seat.close();
    await putBack();
    const next = reopenDesk(desk, { ...asking, deck: desk.deck, clock: desk.clock });
    expect(codeOf(await next.call({ ...write, approvalId }))).toBe("completed");
    expect((await next.seat.verify()).unfit).toStrictEqual([approvalId]);
    await replace(next, approvalId, () => used);
    expect((await next.seat.verify()).unfit).toStrictEqual([approvalId]);
    await remove(next, approvalId);
    expect((await next.seat.verify()).unfit).toStrictEqual([approvalId]);
  });
});

describe("a grant that somebody has written or changed", () => {
  const forge: Readonly<Record<string, (row: Row) => Row>> = {
    "its session": edited({ sessionId: "tuesday" }),
    "its uses": edited({ uses: 0 }),
    "what was fixed": edited({ fixedInput: {} }),
    "its end": edited({ expiresAt: "2099-01-01T00:00:00.000Z" }),
    "its tool": edited({ tool: "notes.put" }),
    "its status in the list": (row) => ({ ...row, status: row.status === "standing" ? "ended" : "standing" }),
    "all of it, with the proof of another installation": (row) => {
      const { value } = JSON.parse(row.body) as Body;
      return rowIn(putGrant(value as never, 0, otherInstallation.keyHash));
    },
    "no JSON": (row) => ({ ...row, body: "{}" }),
  };

  test.each(Object.entries(forge))("covers nothing, and stops nothing else: %s", async (_, change) => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    const { grantId = "" } = await desk.operator.approveForSession(approvalId, {
      maxUses: 5,
      fixed: ["/text"],
    });
    await desk.call(write);
    const runs = desk.deck.runs.length;
    await replace(desk, grantId, change, "grant");
    expect(codeOf(await desk.call(write))).toBe("approval_required");
    expect(codeOf(await desk.call({ ...write, approvalId }))).toBe("approval_mismatch");
    expect([desk.deck.runs.length, await desk.operator.grants()]).toStrictEqual([runs, []]);
    await expect(desk.operator.revoke(grantId)).rejects.toMatchObject({ code: "not_found" });
    // Another grant of the account holds all the same.
    const again = await pending(desk.operator);
    await desk.operator.approveForSession(again.approvalId);
    expect(codeOf(await desk.call(write))).toBe("completed");
  });
});
