// One session, two programs: one turn at a time, and nothing that either has done is lost or done again.
import { expect, test } from "vitest";
import { agentDesk, calling, notesBlock, writing } from "../../../test-data/spectator/agent-desk.ts";

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
  expect(second.model.asked[0]?.messages[0]?.text).toContain("- new\n- be kind");
});
