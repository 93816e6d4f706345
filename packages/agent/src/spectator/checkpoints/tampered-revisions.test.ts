// B22: rows that were changed, moved, removed, swapped or put back are found, named, and nothing goes on from them.
import { type AgentRevision, canonicalJson, hashInput } from "@spfunctions/contracts";
import { createMemoryStore, type Store } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../../contracts/test-data/refusal-of.ts";
import {
  bodyOf,
  contentOf,
  grow,
  headKey,
  openDesk,
  otherInstallation,
  revisionKey,
  rewrite,
  turn,
  won,
} from "../../../test-data/spectator/revision-desk.ts";

type Kept = { value: AgentRevision; proof: string };

/** A session with five revisions, and another one. */
async function tampered(change: (store: Store) => Promise<void>) {
  const store = createMemoryStore();
  const { checkpoints } = openDesk({ store });
  const last = await grow(checkpoints, "s1", 5);
  await grow(checkpoints, "s2", 5);
  await change(store);
  return { store, checkpoints, last };
}

async function edit(store: Store, number: number, change: (kept: Kept) => unknown): Promise<void> {
  const kept = JSON.parse(await bodyOf(store, revisionKey(number))) as Kept;
  await rewrite(store, revisionKey(number), canonicalJson(change(kept) ?? kept));
}

/** As somebody would who knows how hashes are made, and has no secret. */
function rehashed({ value, proof }: Kept): Kept {
  const { checkpoint, operatorConstraints, cause, prev } = value;
  const rest = { checkpoint, operatorConstraints, cause, prev };
  return { value: { ...rest, hash: hashInput(rest) }, proof };
}

const reasons = async ({ checkpoints }: Awaited<ReturnType<typeof tampered>>) => {
  const { problems, isWhole } = await checkpoints.verify("s1");
  expect(isWhole).toBe(problems.length === 0);
  return problems.map(({ revision, reason }) => (revision === undefined ? reason : `${revision} ${reason}`));
};

test("what nobody changed is whole", async () => {
  const desk = await tampered(async () => {});
  expect(await desk.checkpoints.verify("s1")).toStrictEqual({
    sessionId: "s1",
    isWhole: true,
    revisions: 5,
    problems: [],
    moreProblems: 0,
  });
});

describe("an earlier revision", () => {
  test.each<[string, (store: Store) => Promise<void>, string[]]>([
    [
      "that was changed",
      (store) => edit(store, 3, ({ value }) => void value.checkpoint.state.goals.push("x")),
      ["3 hash_mismatch"],
    ],
    [
      "that was changed with its hash",
      (store) =>
        edit(store, 3, (kept) => {
          kept.value.checkpoint.state.goals.push("x");
          return rehashed(kept);
        }),
      ["3 no_proof"],
    ],
    [
      "whose cause was changed",
      (store) => edit(store, 3, ({ value }) => void (value.cause = { type: "imported" })),
      ["3 hash_mismatch"],
    ],
    [
      "that says more of it is the operator's",
      (store) => edit(store, 3, ({ value }) => void (value.operatorConstraints = 1)),
      ["3 unreadable"],
    ],
    ["that is no JSON", (store) => rewrite(store, revisionKey(3), "{"), ["3 unreadable"]],
    ["with one more member", (store) => edit(store, 3, (kept) => ({ ...kept, more: 1 })), ["3 unreadable"]],
    ["without its proof", (store) => edit(store, 3, ({ value }) => ({ value })), ["3 unreadable"]],
    ["that was removed", (store) => rewrite(store, revisionKey(3), undefined), ["3 missing"]],
    [
      "that was moved from another session",
      async (store) => rewrite(store, revisionKey(3), await bodyOf(store, revisionKey(3, "s2"))),
      ["3 wrong_place"],
    ],
    [
      "that was swapped with another",
      async (store) => {
        const [two, three] = [await bodyOf(store, revisionKey(2)), await bodyOf(store, revisionKey(3))];
        await rewrite(store, revisionKey(2), three);
        await rewrite(store, revisionKey(3), two);
      },
      ["2 wrong_place", "3 wrong_place"],
    ],
  ])("%s is named, and not given out", async (_, change, named) => {
    const desk = await tampered(change);
    expect(await reasons(desk)).toStrictEqual(named);
    const given = await desk.checkpoints.get("s1", 3).catch((error: unknown) => error);
    expect(given === undefined || (given as { code?: string }).code === "journal_corrupt").toBe(true);
    expect((await rejectionOf(desk.checkpoints.undo("s1", 3))).code).toMatch(/journal_corrupt|not_found/);
    expect(await rejectionOf(desk.checkpoints.list("s1"))).toMatchObject({ code: "journal_corrupt" });
    expect(await rejectionOf(desk.checkpoints.export("s1", { all: true }))).toMatchObject({
      code: "journal_corrupt",
    });
    expect((await desk.checkpoints.latest("s1"))?.checkpoint.revision).toBe(5);
  });
});

describe("the last revision", () => {
  test.each<[string, (store: Store) => Promise<void>, string, string[]]>([
    [
      "that was changed",
      (store) => edit(store, 5, ({ value }) => void value.checkpoint.state.goals.push("x")),
      "hash_mismatch",
      ["5 hash_mismatch"],
    ],
    ["that was removed", (store) => rewrite(store, revisionKey(5), undefined), "missing", ["5 missing"]],
    [
      "with a head of another session",
      async (store) => rewrite(store, headKey(), await bodyOf(store, headKey("s2"))),
      "wrong_place",
      ["wrong_place"],
    ],
    [
      "with a head that was changed",
      async (store) =>
        rewrite(store, headKey(), (await bodyOf(store, headKey())).replace('"revision":5', '"revision":4')),
      "no_proof",
      ["no_proof"],
    ],
    ["with a head that is no JSON", (store) => rewrite(store, headKey(), ""), "unreadable", ["unreadable"]],
  ])("%s: nothing goes on from it", async (_, change, reason, named) => {
    const desk = await tampered(change);
    expect(await reasons(desk)).toStrictEqual(named);
    const refused = { code: "journal_corrupt", details: { reason } };
    expect(await rejectionOf(desk.checkpoints.latest("s1"))).toMatchObject(refused);
    expect(await rejectionOf(desk.checkpoints.open("s1"))).toMatchObject(refused);
    expect(await rejectionOf(desk.checkpoints.fork("s1", "s3"))).toMatchObject(refused);
    expect(await rejectionOf(desk.checkpoints.export("s1"))).toMatchObject(refused);
  });

  test("one without its head begins no second time", async () => {
    const desk = await tampered((store) => rewrite(store, headKey(), undefined));
    const { checkpoints } = desk;
    expect(await reasons(desk)).toStrictEqual(["head_missing"]);
    for (const refused of [checkpoints.open("s1"), checkpoints.latest("s1")])
      expect(await rejectionOf(refused)).toMatchObject({
        code: "journal_corrupt",
        details: { reason: "behind_head" },
      });
  });

  test("a head that was put back to an earlier one is found, and nothing is written over what came after", async () => {
    const store = createMemoryStore();
    const { checkpoints } = openDesk({ store });
    const third = await grow(checkpoints, "s1", 3);
    const before = await bodyOf(store, headKey());
    await grow(checkpoints, "s1", 5);
    await rewrite(store, headKey(), before);
    const found = { code: "journal_corrupt", details: { reason: "behind_head" } };
    expect(await rejectionOf(checkpoints.latest("s1"))).toMatchObject(found);
    expect(await rejectionOf(checkpoints.append("s1", third, contentOf(), turn(9)))).toMatchObject(found);
    expect((await checkpoints.verify("s1")).problems).toMatchObject([{ reason: "behind_head" }]);
    expect((await checkpoints.get("s1", 4))?.current.state.goals).toStrictEqual(["goal 4"]);
  });

  test("another last revision, written when the head was put back with it, does not pass for the one that the head names", async () => {
    const store = createMemoryStore();
    const { checkpoints } = openDesk({ store });
    const third = await grow(checkpoints, "s1", 3);
    const head = await bodyOf(store, headKey());
    const lost = won(await checkpoints.append("s1", third, contentOf({ goals: ["first"] }), turn(4)));
    const first = await bodyOf(store, revisionKey(4));
    await rewrite(store, revisionKey(4), undefined);
    await rewrite(store, headKey(), head);
    const second = await checkpoints.append("s1", third, contentOf({ goals: ["second"] }), turn(4));
    const goesOn = await checkpoints.append("s1", lost, contentOf({ goals: ["third"] }), turn(5));
    expect(goesOn).toStrictEqual({ type: "conflict", latest: second });
    expect(await checkpoints.verify("s1")).toMatchObject({ isWhole: true });
    await rewrite(store, revisionKey(4), first);
    expect(await rejectionOf(checkpoints.latest("s1"))).toMatchObject({
      details: { reason: "head_mismatch" },
    });
    expect((await checkpoints.verify("s1")).problems).toMatchObject([
      { revision: 4, reason: "head_mismatch" },
    ]);
  });
});

test("a true revision of another history breaks the chain where it was put in", async () => {
  const store = createMemoryStore();
  const { checkpoints } = openDesk({ store });
  const third = await grow(checkpoints, "s1", 3);
  const head = await bodyOf(store, headKey());
  await checkpoints.append("s1", third, contentOf({ goals: ["first"] }), turn(4));
  const first = await bodyOf(store, revisionKey(4));
  await rewrite(store, revisionKey(4), undefined);
  await rewrite(store, headKey(), head);
  await grow(checkpoints, "s1", 6);
  await rewrite(store, revisionKey(4), first);
  expect((await checkpoints.verify("s1")).problems).toMatchObject([{ revision: 5, reason: "prev_mismatch" }]);
});

test("rows that were moved to another account, with everything that belongs to them, are nobody's", async () => {
  const { store } = await tampered(async (inner) => {
    for (const number of [1, 2, 3, 4, 5])
      await rewrite(inner, revisionKey(number, "s1", "acct_2"), await bodyOf(inner, revisionKey(number)));
    await rewrite(inner, headKey("s1", "acct_2"), await bodyOf(inner, headKey()));
  });
  const other = openDesk({ store, accountId: "acct_2" }).checkpoints;
  expect(await rejectionOf(other.open("s1"))).toMatchObject({ code: "journal_corrupt" });
  expect(await rejectionOf(other.get("s1", 2))).toMatchObject({ details: { reason: "no_proof" } });
  expect((await other.verify("s1")).problems.map(({ reason }) => reason)).toStrictEqual([
    ...Array.from({ length: 5 }, () => "no_proof"),
    "wrong_place",
  ]);
  expect(await other.sessions()).toStrictEqual([{ type: "corrupt", sessionId: "s1" }]);
});

test("what another installation wrote counts for nothing here", async () => {
  const { store } = await tampered(async () => {});
  const stranger = openDesk({ store, proves: otherInstallation.keyHash }).checkpoints;
  expect(await rejectionOf(stranger.latest("s1"))).toMatchObject({ details: { reason: "no_proof" } });
  expect(await stranger.verify("s1")).toMatchObject({ isWhole: false, revisions: 5 });
});

test("a row where none is written is found", async () => {
  const desk = await tampered(async (store) => {
    const body = await bodyOf(store, revisionKey(3));
    for (const id of ["s1/", "s1/x", "s1/0000000000", "s1/3", "s1/00000000003", "s1/0000000003.5"])
      await rewrite(store, { ...revisionKey(1), id }, body);
  });
  expect(await reasons(desk)).toStrictEqual(Array.from({ length: 6 }, () => "wrong_place"));
});

test("very many problems are counted, and the first are named", async () => {
  const { checkpoints, store } = openDesk();
  await grow(checkpoints, "s1", 150);
  for (let number = 1; number <= 150; number += 1) await rewrite(store, revisionKey(number), "{}");
  const { problems, moreProblems, revisions } = await checkpoints.verify("s1");
  expect([problems.length, moreProblems, revisions]).toStrictEqual([100, 50, 150]);
});

test("one session that was tampered with does not hide the others", async () => {
  const { checkpoints } = await tampered((store) => rewrite(store, headKey(), "{}"));
  expect(await checkpoints.sessions()).toMatchObject([
    { type: "corrupt", sessionId: "s1" },
    { type: "session", sessionId: "s2", revision: 5 },
  ]);
  expect(await checkpoints.verify("s2")).toMatchObject({ isWhole: true });
});
