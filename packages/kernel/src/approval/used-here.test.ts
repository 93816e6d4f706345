// A1: an approval is used once in a process, however many calls come at once and whatever row is in the store.
import { describe, expect, test } from "vitest";
import { ask, asking, begin, openAsking, storyOf, write } from "../../test-data/call-approvals.ts";
import { codeOf, type DeskOptions, reopenDesk } from "../../test-data/call-desk.ts";
import { atFirst, FaultyStore, kindsIn } from "../../test-data/call-store.ts";
import { settlement, until } from "../../test-data/call-waiting.ts";
import type { CommitResult, Unit } from "../store/store.ts";

/** A store in which somebody puts every approval back as it was before its use, in the very commit that uses it. */
class RestoringStore extends FaultyStore {
  override async commit(unit: Unit): Promise<CommitResult> {
    const documents = unit.documents?.filter(
      (one) => !(one.kind === "approval" && one.type === "put" && one.status === "used"),
    );
    return await super.commit({ ...unit, ...(documents && { documents }) });
  }
}

const approved = async (options: DeskOptions = {}) => {
  const desk = openAsking(options);
  const { approvalId } = await ask(desk);
  await desk.operator.approve(approvalId);
  const call = async () => codeOf(await desk.call({ ...write, approvalId }));
  return { ...desk, approvalId, call };
};

/** Writes the next record of a kind or not, and answers the question whether it did with an error. */
function failUnseen(store: FaultyStore, type: "throw" | "lost", kind = "call.intended"): () => boolean {
  let isAsked = false;
  const at = store.units.length;
  store.fault = atFirst(kind, { type });
  store.beforeRead = () => {
    if (isAsked || !store.units.slice(at).some((unit) => kindsIn(unit).includes(kind))) return;
    isAsked = true;
    throw new Error("nothing is read");
  };
  return () => isAsked;
}

describe("a row that is put back as it was before its use, at once", () => {
  test("lets one of the calls run that come together, and none that comes after them", async () => {
    const { call, deck, seat, approvalId } = await approved({ store: new RestoringStore() });
    const said = await Promise.all([call(), call(), call(), call(), call()]);
    const mismatch = "approval_mismatch";
    expect(said.toSorted()).toStrictEqual([mismatch, mismatch, mismatch, mismatch, "completed"]);
    expect(await call()).toBe(mismatch);
    expect(deck.runs).toHaveLength(1);
    expect((await seat.verify()).unfit).toStrictEqual([approvalId]);
  });

  test("lets no other call run where nobody can say whether one has begun", async () => {
    const desk = await approved({ store: new RestoringStore() });
    const isAsked = failUnseen(desk.store, "lost");
    await expect(desk.call()).rejects.toMatchObject({ code: "journal_append_failed" });
    expect(isAsked()).toBe(true);
    expect(await desk.call()).toBe("approval_mismatch");
    expect((await ask({ ...desk, call: desk.seat.call.bind(desk.seat) })).approvalId).not.toBe(
      desk.approvalId,
    );
    expect(desk.deck.runs).toStrictEqual([]);
  });
});

describe("an approval that nothing has begun by", () => {
  test("is good for the next call where the first could not be written", async () => {
    const { call, deck, store } = await approved();
    store.fault = atFirst("call.intended", { type: "throw" });
    const [first, ...others] = await Promise.all([settlement(call()), call(), call()]);
    expect(first).toMatchObject({ state: "broken", error: { code: "journal_append_failed" } });
    expect(others).toStrictEqual(["completed", "approval_mismatch"]);
    expect(deck.runs).toHaveLength(1);
  });

  test("is good for the next call where it is something else of which nobody can say whether it was written", async () => {
    const desk = await approved();
    await desk.seat.close();
    const next = reopenDesk(desk, { ...asking, deck: desk.deck, clock: desk.clock });
    const isAsked = failUnseen(next.store, "throw", "segment.opened");
    const { approvalId } = desk;
    await expect(next.call({ ...write, approvalId })).rejects.toMatchObject({
      code: "journal_append_failed",
    });
    expect(isAsked()).toBe(true);
    expect(codeOf(await next.call({ ...write, approvalId }))).toBe("completed");
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("is good for the call that waits for it, also after a time in which nobody could say whether it had begun", async () => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk);
    const isAsked = failUnseen(desk.store, "throw");
    await desk.operator.approve(approval.approvalId);
    await until(isAsked, "the outage");
    expect(await settlement(outcome)).toStrictEqual({ state: "pending" });
    desk.clock.advance(1000);
    expect(codeOf(await outcome)).toBe("completed");
    expect(await storyOf(desk)).toStrictEqual([
      "call.waiting pending",
      "call.intended used",
      "call.settled completed",
    ]);
    expect(desk.deck.runs).toHaveLength(1);
  });
});
