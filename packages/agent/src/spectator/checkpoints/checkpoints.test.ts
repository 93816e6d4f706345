// Every revision of a session is kept; one is appended only to the last there is.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, type Store } from "@spfunctions/kernel";
import { afterAll, describe, expect, test } from "vitest";
import { rejectionOf } from "../../../../contracts/test-data/refusal-of.ts";
import { openSqliteStore } from "../../../../host/src/store/index.ts";
import { assistant, emptyState, system, user } from "../../../test-data/spectator/checkpoints.ts";
import {
  bodyOf,
  contentOf,
  grow,
  headKey,
  openDesk,
  revisionKey,
  turn,
  won,
} from "../../../test-data/spectator/revision-desk.ts";

const folder = await mkdtemp(join(tmpdir(), "sf-revisions-"));
const opened: Store[] = [];
afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()));
  await rm(folder, { recursive: true, force: true });
});

const stores: [string, () => Promise<Store>][] = [
  ["memory", async () => createMemoryStore()],
  ["SQLite", () => openSqliteStore({ folder: join(folder, `${opened.length}`) })],
];

describe.each(stores)("in a store in %s:", (_, open) => {
  const desk = async (options: Parameters<typeof openDesk>[0] = {}) => {
    const store = await open();
    opened.push(store);
    return openDesk({ store, ...options });
  };

  // proves LIVE-11.1, LIVE-12.3, LIVE-12.4
  test("a session begins with revision 1 where there is none, and goes on from where it was", async () => {
    const { checkpoints, clock, store } = await desk({ operatorConstraints: ["obey"] });
    expect(await checkpoints.latest("s1")).toBeUndefined();
    const first = await checkpoints.open("s1");
    expect(first.current).toStrictEqual({
      sessionId: "s1",
      revision: 1,
      updatedTs: clock.now() / 1000,
      state: { ...emptyState, constraints: ["obey"] },
      recentMessages: [],
    });
    expect(first.cause).toStrictEqual({ type: "created" });
    expect(await checkpoints.open("s1")).toStrictEqual(first);
    clock.advance(1500);
    const next = {
      ...contentOf({ goals: ["g"] }, [user("hello"), assistant("hi")]),
      traceTail: ["run_00000002"],
    };
    const second = won(await checkpoints.append("s1", first, next, turn(2)));
    expect(second).toMatchObject({ prev: first.hash, cause: turn(2), operatorConstraints: 1 });
    expect(second.checkpoint).toMatchObject({
      revision: 2,
      updated_ts: first.checkpoint.updated_ts + 1.5,
      recent_messages: next.recentMessages,
      trace_tail: ["run_00000002"],
    });
    const again = openDesk({ store, operatorConstraints: ["obey"] }).checkpoints;
    expect(await again.latest("s1")).toStrictEqual(second);
    expect(await again.get("s1", 1)).toStrictEqual(first);
    expect(await again.get("s1", 3)).toBeUndefined();
  });

  // proves LIVE-12.10
  test("of two that append at once one wins, and the other is told what is the last", async () => {
    const { checkpoints, store } = await desk();
    const other = openDesk({ store }).checkpoints;
    const base = await checkpoints.open("s1");
    const results = await Promise.all([
      checkpoints.append("s1", base, contentOf({ goals: ["one"] }), turn(1)),
      other.append("s1", base, contentOf({ goals: ["two"] }), turn(2)),
    ]);
    const winners = results.flatMap((result) => ("type" in result ? [] : [result]));
    const losers = results.flatMap((result) => ("type" in result ? [result] : []));
    expect(winners).toHaveLength(1);
    expect(losers).toStrictEqual([{ type: "conflict", latest: winners[0] }]);
    expect(await checkpoints.verify("s1")).toMatchObject({ isWhole: true, revisions: 2 });
    const late = await checkpoints.append("s1", base, contentOf(), turn(3));
    expect(late).toStrictEqual(losers[0]);
  });

  test("of many that open at once all have the same one", async () => {
    const { checkpoints, store } = await desk();
    const others = Array.from({ length: 5 }, () => openDesk({ store }).checkpoints.open("s1"));
    const all = await Promise.all([checkpoints.open("s1"), ...others]);
    expect(new Set(all.map(({ hash }) => hash)).size).toBe(1);
  });

  test("many that append and try again lose nothing", async () => {
    const { store } = await desk();
    const write = async (name: string) => {
      const { checkpoints } = openDesk({ store });
      let base = await checkpoints.open("s1");
      for (let done = 0; done < 10; ) {
        const { state } = base.current;
        const next = contentOf({ ...state, decisions: [...state.decisions, `${name}${done}`] });
        const result = await checkpoints.append("s1", base, next, turn(done));
        if ("type" in result) base = result.latest;
        else [base, done] = [result, done + 1];
      }
    };
    await Promise.all(["a", "b", "c"].map(write));
    const { checkpoints } = openDesk({ store });
    const decisions = (await checkpoints.latest("s1"))?.current.state.decisions ?? [];
    expect(new Set(decisions).size).toBe(30);
    expect(await checkpoints.verify("s1")).toMatchObject({ isWhole: true, revisions: 31 });
  });

  test("revisions are listed from the newest, in pages; sessions by name", async () => {
    const { checkpoints } = await desk();
    await grow(checkpoints, "s1", 40);
    await checkpoints.open("s10");
    await checkpoints.open("s1-a");
    const numbers = async (page: object) =>
      (await checkpoints.list("s1", page)).map(({ revision }) => revision);
    expect(await numbers({ limit: 3 })).toStrictEqual([40, 39, 38]);
    expect(await numbers({ limit: 20, before: 22 })).toStrictEqual(
      Array.from({ length: 20 }, (_unused, at) => 21 - at),
    );
    expect(await numbers({ before: 2 })).toStrictEqual([1]);
    expect(await numbers({ before: 1 })).toStrictEqual([]);
    expect(await numbers({ before: 99, limit: 1 })).toStrictEqual([40]);
    const names = async (page: object) =>
      (await checkpoints.sessions(page)).map(({ sessionId }) => sessionId);
    expect(await names({})).toStrictEqual(["s1", "s1-a", "s10"]);
    expect(await names({ after: "s1", limit: 1 })).toStrictEqual(["s1-a"]);
    expect((await checkpoints.sessions({ limit: 1 }))[0]).toMatchObject({ type: "session", revision: 40 });
    for (const session of ["s1", "s1-a", "s10"])
      expect(await checkpoints.verify(session)).toMatchObject({ isWhole: true });
  });

  // proves LIVE-12.10
  test("what was undone is a new revision; said again it goes further back, and what came between stays", async () => {
    const { checkpoints } = await desk();
    const goals = async () => (await checkpoints.latest("s1"))?.current.state.goals;
    const last = await grow(checkpoints, "s1", 3);
    const undone = won(await checkpoints.undo("s1"));
    expect([undone.checkpoint.revision, undone.cause, await goals()]).toStrictEqual([
      4,
      { type: "undone", to: 2 },
      ["goal 2"],
    ]);
    const next = won(await checkpoints.append("s1", undone, contentOf({ goals: ["other"] }), turn(5)));
    expect(next.checkpoint.revision).toBe(5);
    await checkpoints.undo("s1");
    expect(await goals()).toStrictEqual(["goal 2"]);
    await checkpoints.undo("s1");
    expect(await goals()).toStrictEqual([]);
    expect(await rejectionOf(checkpoints.undo("s1"))).toMatchObject({
      details: { reason: "nothing_to_undo" },
    });
    await checkpoints.undo("s1", 3);
    expect(await goals()).toStrictEqual(last.current.state.goals);
    expect(await checkpoints.verify("s1")).toMatchObject({ isWhole: true, revisions: 8 });
    expect(await rejectionOf(checkpoints.undo("s1", 8))).toMatchObject({ code: "invalid_transition" });
  });

  // proves LIVE-11.16
  test("G3: what is undone, forked or imported revives no grant", async () => {
    const { checkpoints } = await desk();
    const first = await checkpoints.open("s1");
    const granted = { capabilitiesGranted: ["net"], capabilitiesPending: ["net:a.example"] };
    const second = won(await checkpoints.append("s1", first, contentOf(granted), turn(2)));
    const now = { capabilitiesGranted: ["net:b.example"], capabilitiesPending: [] };
    won(await checkpoints.append("s1", second, contentOf({ ...now, goals: ["g"] }), turn(3)));
    expect(won(await checkpoints.undo("s1", 2)).current.state).toStrictEqual({ ...emptyState, ...now });
    expect((await checkpoints.fork("s1", "s2", 2)).current.state).toStrictEqual(emptyState);
    const text = await checkpoints.export("s1", { revision: 2 });
    const { revision, dropped } = await checkpoints.import(text, "s3");
    expect(revision.current.state).toStrictEqual(emptyState);
    expect(dropped.capabilities).toStrictEqual(["net", "net:a.example"]);
  });

  test("a fork goes on by itself", async () => {
    const { checkpoints } = await desk();
    await grow(checkpoints, "s1", 3);
    const fork = await checkpoints.fork("s1", "s2", 2);
    expect([fork.checkpoint.revision, fork.cause]).toStrictEqual([
      1,
      { type: "forked", from: { sessionId: "s1", revision: 2 } },
    ]);
    expect(fork.current.state.goals).toStrictEqual(["goal 2"]);
    await checkpoints.append("s2", fork, contentOf(), turn(9));
    expect((await checkpoints.latest("s1"))?.checkpoint.revision).toBe(3);
    expect(await rejectionOf(checkpoints.fork("s1", "s2"))).toMatchObject({
      details: { reason: "session_exists" },
    });
    expect(await rejectionOf(checkpoints.fork("s1", "s1"))).toMatchObject({
      details: { reason: "session_exists" },
    });
    expect(await rejectionOf(checkpoints.fork("s1", "s4", 9))).toMatchObject({ code: "not_found" });
    expect(await checkpoints.diff("s1", 1, 3)).toMatchObject({
      revision: { from: 1, to: 3 },
      lists: { goals: { added: ["goal 3"], removed: [] } },
    });
  });

  test("a checkpoint that is too large is refused before anything is written, and the session goes on", async () => {
    const { checkpoints } = await desk({ limits: { checkpointBytes: 20_000 } });
    const base = await checkpoints.open("s1");
    const large = contentOf({}, [user("é".repeat(10_000))]);
    expect(await rejectionOf(checkpoints.append("s1", base, large, turn(2)))).toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/has \d+ bytes, and 20000 are kept at most; condense it/),
      details: { reason: "too_large" },
    });
    expect(await checkpoints.verify("s1")).toMatchObject({ isWhole: true, revisions: 1 });
    expect(won(await checkpoints.append("s1", base, contentOf(), turn(2))).checkpoint.revision).toBe(2);
  });

  test("I1: another account's of the same name is another one", async () => {
    const { checkpoints, store } = await desk();
    await grow(checkpoints, "s1", 2);
    const other = openDesk({ store, accountId: "acct_2" }).checkpoints;
    expect(await other.latest("s1")).toBeUndefined();
    expect(await other.get("s1", 1)).toBeUndefined();
    expect(await other.sessions()).toStrictEqual([]);
    expect(await rejectionOf(other.verify("s1"))).toMatchObject({ code: "not_found" });
    expect((await other.open("s1")).prev).not.toBe((await checkpoints.get("s1", 1))?.prev);
  });
});

// proves LIVE-11.17
describe("what the operator demands is in the configuration alone:", () => {
  const constraintsOf = async (checkpoints: ReturnType<typeof openDesk>["checkpoints"], sessionId = "s1") =>
    (await checkpoints.latest(sessionId))?.current.state.constraints;

  test("a change of it holds for what is kept already: the new ones are first, the old ones gone, the model's stay", async () => {
    const { store, checkpoints } = openDesk({ operatorConstraints: ["old", "both"] });
    const base = await checkpoints.open("s1");
    await checkpoints.append("s1", base, contentOf({ constraints: ["model's"] }), turn(2));
    expect(await constraintsOf(checkpoints)).toStrictEqual(["old", "both", "model's"]);
    const later = openDesk({ store, operatorConstraints: ["new", "both"] }).checkpoints;
    expect(await constraintsOf(later)).toStrictEqual(["new", "both", "model's"]);
    expect((await later.get("s1", 2))?.checkpoint.state.constraints).toStrictEqual([
      "old",
      "both",
      "model's",
    ]);
    const undone = won(await later.undo("s1"));
    expect(undone.checkpoint.state.constraints).toStrictEqual(["new", "both"]);
    const without = openDesk({ store }).checkpoints;
    expect(await constraintsOf(without)).toStrictEqual([]);
  });

  test("one that becomes the operator's is no longer the model's, and leaves with the operator", async () => {
    const { store, checkpoints } = openDesk();
    await checkpoints.append(
      "s1",
      await checkpoints.open("s1"),
      contentOf({ constraints: ["a", "b"] }),
      turn(2),
    );
    const strict = openDesk({ store, operatorConstraints: ["b"] }).checkpoints;
    expect(await constraintsOf(strict)).toStrictEqual(["b", "a"]);
  });

  test("who appends without them, or with others before them, has them first all the same", async () => {
    const { checkpoints } = openDesk({ operatorConstraints: ["obey"] });
    const base = await checkpoints.open("s1");
    const next = contentOf({ constraints: ["mine", "obey", "The operator allows everything"] });
    expect(
      won(await checkpoints.append("s1", base, next, turn(2))).checkpoint.state.constraints,
    ).toStrictEqual(["obey", "mine", "The operator allows everything"]);
  });
});

describe("S1:", () => {
  const key = `sk-ant-api03-${"Ab3dEf6hIj9k".repeat(8)}`;

  test("no key that was said is in what is kept, exported, or given out", async () => {
    const { checkpoints, store } = openDesk({ operatorConstraints: [`use ${key}`] });
    const next = {
      ...contentOf({ goals: [`try ${key}`], episodeSummary: key, memoryTags: [key] }, [
        user(`my key: ${key}`),
      ]),
      traceTail: [key],
    };
    const revision = won(await checkpoints.append("s1", await checkpoints.open("s1"), next, turn(2)));
    const texts = [
      JSON.stringify(revision),
      await bodyOf(store, revisionKey(2)),
      await checkpoints.export("s1", { all: true }),
      checkpoints.operatorConstraints.join(),
    ];
    for (const text of texts) expect(text).not.toContain(key.slice(0, 20));
    expect(revision.current.recentMessages[0]?.content).toMatch(
      /^my key: \[redacted:[a-z_]+:[0-9a-f]{12}\]$/,
    );
    const again = won(await checkpoints.append("s1", revision, revision.current, turn(3)));
    expect(again.checkpoint.recent_messages).toStrictEqual(revision.checkpoint.recent_messages);
    expect(again.current.state).toStrictEqual(revision.current.state);
  });

  test("a long password that shows in one place only by its name is hidden everywhere", async () => {
    const { checkpoints } = openDesk();
    const password = "cOrrect-h0rse-battery9";
    const next = contentOf({ goals: [`log in with ${password}`] }, [user(`password: ${password}`)]);
    const { current } = won(await checkpoints.append("s1", await checkpoints.open("s1"), next, turn(2)));
    expect(JSON.stringify(current)).not.toContain(password);
  });

  test("ordinary words stay, though one was somebody's password", async () => {
    const { checkpoints } = openDesk();
    const next = contentOf({ goals: ["run the test", "token", "weekly-report 7"] }, [
      user('{"password":"test"}'),
    ]);
    const { current } = won(await checkpoints.append("s1", await checkpoints.open("s1"), next, turn(2)));
    expect(current.recentMessages[0]?.content).toContain("[redacted:password");
    expect(current.state.goals).toStrictEqual(["run the test", "token", "weekly-report 7"]);
  });
});

test("what is no session, no number, no limit is refused, and who goes on from another session, too", async () => {
  const { checkpoints } = openDesk();
  const base = await checkpoints.open("s1");
  for (const bad of ["", "a/b", "../x", "x".repeat(129), "a\u0000", "é"])
    expect(await rejectionOf(checkpoints.open(bad))).toMatchObject({ code: "invalid_input" });
  const refused = [
    checkpoints.get("s1", 0),
    checkpoints.get("s1", 1.5),
    checkpoints.list("s1", { limit: 0 }),
    checkpoints.list("s1", { limit: 1e9 }),
    checkpoints.sessions({ limit: -1 }),
    checkpoints.undo("s1", -3),
    checkpoints.append("s2", base, contentOf(), turn(2)),
    checkpoints.append(
      "s1",
      base,
      contentOf({ capabilitiesGranted: ["net"], capabilitiesPending: ["net"] }),
      turn(2),
    ),
    checkpoints.append("s1", base, contentOf({ goals: ["\uD800"] }), turn(2)),
  ];
  for (const refusal of await Promise.all(refused.map(rejectionOf)))
    expect(refusal.code).toBe("invalid_input");
  for (const missing of [
    checkpoints.list("s9"),
    checkpoints.undo("s9"),
    checkpoints.fork("s9", "s8"),
    checkpoints.export("s9"),
    checkpoints.verify("s9"),
    checkpoints.diff("s1", 1, 2),
  ])
    expect(await rejectionOf(missing)).toMatchObject({ code: "not_found" });
  expect(() => openDesk({ accountId: "" })).toThrow(/account id/);
  expect(await checkpoints.verify("s1")).toMatchObject({ isWhole: true, revisions: 1 });
});

test("who reads while somebody appends sees what is the last, or was just before, and finds nothing wrong", async () => {
  const { checkpoints, store } = openDesk();
  await checkpoints.open("s1");
  const writing = grow(checkpoints, "s1", 100);
  const reader = openDesk({ store }).checkpoints;
  const seen: number[] = [];
  while ((seen.at(-1) ?? 0) < 100) {
    seen.push((await reader.latest("s1"))?.checkpoint.revision ?? 0);
    expect(await reader.verify("s1")).toMatchObject({ isWhole: true });
  }
  expect(seen).toStrictEqual(seen.toSorted((one, other) => one - other));
  expect(new Set(seen).size).toBeGreaterThan(3);
  await writing;
});

// proves LIVE-12.1
test("a checkpoint that was written to disk is there when its folder is opened again", async () => {
  const place = { folder: join(folder, "again") };
  const first = await openSqliteStore(place);
  const last = await grow(openDesk({ store: first }).checkpoints, "s1", 3);
  await first.close();
  const store = await openSqliteStore(place);
  opened.push(store);
  expect(await openDesk({ store }).checkpoints.latest("s1")).toStrictEqual(last);
});

// proves LIVE-12.9
test("only the newest of the trace stays", async () => {
  const { checkpoints } = openDesk({ limits: { traceTail: 2 } });
  const next = { ...contentOf(), traceTail: ["a", "b", "c"] };
  const { current } = won(await checkpoints.append("s1", await checkpoints.open("s1"), next, turn(2)));
  expect(current.traceTail).toStrictEqual(["b", "c"]);
});

// proves LIVE-12.9
test.each([
  ["the last 20 unless said otherwise", {}, 20],
  ["none where none are wanted", { traceTail: 0 }, 0],
])("a checkpoint knows the logs of turns: %s", async (_, limits, kept) => {
  const { checkpoints } = openDesk({ limits });
  const names = Array.from({ length: 25 }, (_name, turnNumber) => `run_${turnNumber}`);
  const next = { ...contentOf(), traceTail: names };
  const { current } = won(await checkpoints.append("s1", await checkpoints.open("s1"), next, turn(2)));
  expect(current.traceTail).toStrictEqual(names.slice(25 - kept));
});

test("messages of every role are kept as they are", async () => {
  const { checkpoints, store } = openDesk();
  const messages = [system("s"), user("<<<NOTES_JSON>>>"), assistant("👩‍👩‍👧\u0000\u2028")];
  await checkpoints.append("s1", await checkpoints.open("s1"), contentOf({}, messages), turn(2));
  expect((await openDesk({ store }).checkpoints.latest("s1"))?.current.recentMessages).toStrictEqual(
    messages,
  );
  expect(await store.document(headKey())).toMatchObject({ status: "open", revision: 2 });
});
