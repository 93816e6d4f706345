// One session, two programs: one turn at a time, and nothing that either has done is lost or done again.
import { createMemorySearchIndex, Runs, type SearchIndex, type Store } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import {
  agentDesk,
  calling,
  installation,
  notesBlock,
  principal,
  writing,
} from "../../../test-data/spectator/agent-desk.ts";

test("of two turns that are begun at once one is refused, and nothing of it is kept", async () => {
  const first = agentDesk({ says: [`One. ${notesBlock({ add_decisions: ["one"] })}`] });
  const second = agentDesk({ says: [`Two. ${notesBlock({ add_decisions: ["two"] })}`], store: first.store });
  const sessions = [await first.agent.open("s"), await second.agent.open("s")];
  const turns = await Promise.allSettled(sessions.map((session) => session.turn("go")));
  const done = turns.filter(({ status }) => status === "fulfilled");
  const refused = turns.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
  // Where one had ended before the other began, both are kept, one after the other.
  expect(done.length + refused.length).toBe(2);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: "invalid_transition" });
  const { state, revision } = (await sessions[0]?.checkpoint()) ?? {};
  expect(state?.decisions).toHaveLength(done.length);
  expect(revision).toBe(1 + done.length);
  expect((await sessions[0]?.verify())?.isWhole).toBe(true);
});

test("of turns that are begun at once in one program the others do not stop the one that is taken on", async () => {
  const { agent, model } = agentDesk();
  const session = await agent.open("s");
  const turns = await Promise.allSettled(["a", "b", "c"].map((text) => session.turn(text)));
  const done = turns.flatMap((one) => (one.status === "fulfilled" ? [one.value.status] : []));
  expect(done).toStrictEqual(["completed"]);
  expect(model.asked).toHaveLength(1);
  expect(await session.turn("and now?")).toMatchObject({ status: "completed", revision: 3 });
});

test("a turn that waits in one program is gone on with in another, and done once", async () => {
  const says = [calling("notes.add", { text: "milk" }), "Added."];
  const policy = { maxSideEffect: "user_write" } as const;
  const first = agentDesk({ says, policy });
  const asked = await (await first.agent.open("s")).turn("add milk");
  await first.agent.close();
  const second = agentDesk({ says: says.slice(1), policy, store: first.store });
  const session = await second.agent.open("s");
  expect(await session.left()).toMatchObject({ runId: asked.runId, text: "add milk", state: "waiting" });
  await second.operator.approve(asked.approvals[0]?.approvalId ?? "");
  expect(await session.resume()).toMatchObject({ status: "completed", text: "Added.", revision: 2 });
  expect([first.done, second.done]).toStrictEqual([[], ["add milk"]]);
  await expect(session.resume()).rejects.toMatchObject({ details: { reason: "no_turn" } });
});

test("what an operator demands now holds for sessions of before", async () => {
  const first = agentDesk({
    says: [`Ok. ${notesBlock({ add_constraints: ["be kind"] })}`],
    constraints: ["old"],
  });
  await (await first.agent.open("s")).turn("hi");
  const second = agentDesk({ constraints: ["new"], store: first.store, policy: writing });
  const session = await second.agent.open("s");
  expect((await session.checkpoint()).state.constraints).toStrictEqual(["new", "be kind"]);
  await session.turn("hi");
  const shown = second.model.asked[0]?.messages[0]?.text ?? "";
  expect(shown).toMatch(/^Constraints of the operator.*:\n- new\nConstraints noted.*:\n- be kind$/m);
  expect(shown).not.toContain("- old");
});

/** Somebody who looks something up in memory for as long as others need. */
function slowSearch(meanwhile: () => Promise<unknown>): SearchIndex {
  const search = createMemorySearchIndex();
  return {
    put: (entries) => search.put(entries),
    remove: (accountId, ids) => search.remove(accountId, ids),
    rebuild: (from) => search.rebuild(from),
    query: async (query) => {
      await meanwhile();
      return await search.query(query);
    },
  };
}

/** A store that dies before it keeps the revision of a turn. */
function dyingBeforeRevision(store: Store): Store {
  return new Proxy(store, {
    get: (_, name) => {
      if (name === "commit")
        return async (commit: Parameters<Store["commit"]>[0]) => {
          if (commit.documents?.some(({ kind }) => kind === "agent_revision")) throw new Error("killed");
          return await store.commit(commit);
        };
      const member: unknown = Reflect.get(store, name);
      return typeof member === "function" ? (member.bind(store) as unknown) : member;
    },
  });
}

test("a turn that was ended by a program which is no more is kept, also where another has begun by then", async () => {
  const { agent, store } = agentDesk({ says: ["Hello."] });
  await agent.open("s");
  const dying = agentDesk({ says: ["Lost?"], store: dyingBeforeRevision(store) });
  const search = slowSearch(async () => {
    await expect((await dying.agent.open("s")).turn("first")).rejects.toThrow("killed");
  });
  const other = agentDesk({ says: ["Second."], store, search });
  const session = await other.agent.open("s");
  expect(await session.turn("second")).toMatchObject({ status: "completed" });
  const { recentMessages } = await session.checkpoint();
  expect(recentMessages.map(({ content }) => content)).toStrictEqual(["first", "Lost?", "second", "Second."]);
});

test("a turn that somebody else has written down meanwhile, and others after it, is not written twice", async () => {
  const first = agentDesk();
  const second = agentDesk({ says: ["Two."], store: first.store });
  let isSlow = true;
  const slow = new Proxy(first.store, {
    get: (store, name) => {
      const member: unknown = Reflect.get(store, name);
      if (typeof member !== "function") return member;
      if (name !== "commit") return member.bind(store) as unknown;
      return async (commit: Parameters<Store["commit"]>[0]) => {
        if (isSlow && commit.documents?.some(({ kind }) => kind === "agent_revision")) {
          isSlow = false;
          // By the time it writes, others have done that and more.
          await (await second.agent.open("s")).turn("two");
        }
        return await store.commit(commit);
      };
    },
  });
  await first.agent.open("s");
  const third = agentDesk({ says: ["One."], store: slow });
  const session = await third.agent.open("s");
  expect(await session.turn("one")).toMatchObject({ status: "completed", text: "One.", revision: 2 });
  const { recentMessages } = await session.checkpoint();
  expect(recentMessages.map(({ content }) => content)).toStrictEqual(["one", "One.", "two", "Two."]);
});

test("what another program has done under the name of a session is none of its turns", async () => {
  const { agent, store, model } = agentDesk();
  const runs = new Runs({
    agentId: "clerk",
    packs: [],
    model: { adapter: model },
    levels: [{ level: "agent", policy: { session: { persist: true, ttlMs: 1e9, maxHistoryTokens: 99 } } }],
    principal,
    store,
    installation,
  });
  await (await runs.start({ objective: "between us", sessionId: "s" })).wait();
  const session = await agent.open("s");
  await expect(session.turn("hi")).rejects.toMatchObject({ details: { reason: "other_agent" } });
  expect((await session.checkpoint()).recentMessages).toStrictEqual([]);
  await runs.close();
});
