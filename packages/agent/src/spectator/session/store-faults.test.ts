// A store that is away for a moment, at any moment: what was said is neither lost nor doubled, what was done is done once, and the session goes on.
import { JournalAppendFailedError } from "@spfunctions/contracts";
import {
  createMemoryStore,
  defineTool,
  type ModelAdapter,
  type ModelCompleteInput,
  type Store,
} from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { FaultyStore } from "../../../../kernel/test-data/call-store.ts";
import { agentDesk, calling, notesBlock, writing } from "../../../test-data/spectator/agent-desk.ts";

const every = Number(process.env["FUZZ_RUNS"] ?? 0) > 0 ? 1 : 6;
const turns = ["turn 1", "turn 2", "turn 3"];

/** Answers by what it is shown, so that whoever asks again is told the same. */
const model: ModelAdapter = {
  name: "diarist",
  offline: true,
  complete: async ({ messages }: ModelCompleteInput) => {
    const at = messages.findLastIndex(({ role, text }) => role === "user" && text.startsWith("turn "));
    const turn = messages[at]?.text ?? "";
    const isSecond = messages.slice(at).some(({ role }) => role === "assistant");
    const notes = { add_decisions: [turn], actions: ["request_permission:net:example.com", "condense_now"] };
    const text = isSecond ? `Done. ${notesBlock(notes)}` : `I add. ${calling("notes.add", { text: turn })}`;
    return { text, toolCalls: [], finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } };
  },
};

/** The nth time that it is asked for something, it is away. */
function awayAt(store: Store, nth: number) {
  const seen = { count: 0 };
  const faulty = new Proxy(store, {
    get: (_, name) => {
      const member: unknown = Reflect.get(store, name);
      if (typeof member !== "function") return member;
      if (name === "lasts" || name === "listen" || name === "close") return member.bind(store) as unknown;
      return (...given: unknown[]): unknown => {
        seen.count += 1;
        if (seen.count === nth) throw new JournalAppendFailedError("the disk is away");
        return Reflect.apply(member, store, given);
      };
    },
  });
  return { faulty, seen };
}

/** As a program does that goes on with what was left, and takes the next turn where there is none. */
async function live(nth: number) {
  const store = createMemoryStore();
  const { faulty, seen } = awayAt(store, nth);
  const { agent, done } = agentDesk({ model, store: faulty, policy: writing, limits: { recentMessages: 6 } });
  const step = async () => {
    const session = await agent.open("s");
    const left = await session.left();
    const { decisions } = (await session.checkpoint()).state;
    const next = turns[decisions.length];
    if (left === undefined && next === undefined) return true;
    await (left === undefined ? session.turn(next ?? "") : session.resume());
    return false;
  };
  // More often than there are turns and faults.
  for (let times = 0; times < 8; times++) {
    const isOver = await step().catch(() => false);
    if (isOver) break;
  }
  await agent.close().catch(() => undefined);
  const session = await agentDesk({ model, store, policy: writing }).agent.open("s");
  const history = await session.history({ limit: 100 });
  return {
    seen: seen.count,
    done,
    decisions: (await session.checkpoint()).state.decisions,
    turns: history.filter(({ cause }) => cause.type === "turn").length,
    isWhole: (await session.verify()).isWhole,
  };
}

describe("a store that fails once", () => {
  test("at whichever moment costs nothing", async () => {
    const { seen, ...well } = await live(0);
    expect(well).toMatchObject({ decisions: turns, turns: 3, isWhole: true });
    for (let nth = 1; nth <= seen; nth += every) {
      const { seen: _, ...life } = await live(nth);
      expect(life, `away at ${nth}`).toStrictEqual(well);
    }
  }, 60_000);
});

/** Pays, and does something with the store in that moment. */
function paying(act: () => unknown) {
  const paid: string[] = [];
  const tool = defineTool({
    name: "notes.pay",
    description: "Pays.",
    input: z.strictObject({}),
    output: z.strictObject({}),
    permissions: [],
    sideEffect: "user_write",
    costEffect: "none",
    run: async () => {
      paid.push("paid");
      await act();
      return {};
    },
  });
  return { tool, paid };
}

const says = [calling("notes.pay"), "Paid."];

test("a turn whose effect has happened while the store was away goes on by itself, and the effect happens once", async () => {
  const store = new FaultyStore();
  const { tool, paid } = paying(() => {
    let failures = 0;
    store.fault = () => (++failures > 3 ? undefined : { type: "throw" });
  });
  const { agent } = agentDesk({ says, packs: [tool], store, policy: writing });
  const session = await agent.open("s");
  expect(await session.turn("pay")).toMatchObject({ status: "completed", text: "Paid.", revision: 2 });
  expect(paid).toHaveLength(1);
});

test("where nobody knows what became of an effect, a person says so, and the turn goes on", async () => {
  const store = new FaultyStore();
  const died = paying(async () => {
    await store.die();
    await new Promise(() => {});
  });
  const first = await agentDesk({ says, packs: [died.tool], store, policy: writing }).agent.open("s");
  void first.turn("pay");
  await store.died.promise;
  const { tool, paid } = paying(() => undefined);
  const next = agentDesk({ says: ["Paid."], packs: [tool], store: store.inner, policy: writing });
  const session = await next.agent.open("s");
  const waiting = await session.resume();
  expect(waiting).toMatchObject({ status: "recovery_needed", unknownEffects: [expect.any(String)] });
  await session.resolve(waiting.unknownEffects[0] ?? "", {
    status: "completed",
    note: "it is on the account",
  });
  expect(await session.resume()).toMatchObject({ status: "completed", text: "Paid.", revision: 2 });
  expect(paid).toStrictEqual([]);
  await expect(session.resolve("eff_1", { status: "failed", note: "no" })).rejects.toMatchObject({
    details: { reason: "no_turn" },
  });
});
