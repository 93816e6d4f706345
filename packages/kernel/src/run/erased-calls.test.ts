import { canonicalJson } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { openDesk } from "../../test-data/call-desk.ts";
import { FaultyStore, kindsIn } from "../../test-data/call-store.ts";
import { childSpec, openFamily, type Parts, start, untilChild } from "../../test-data/family.ts";
import {
  openRunDesk,
  read,
  reopenRunDesk,
  type RunDesk,
  saying,
  type Script,
  storedRun,
  toldIn,
  write,
} from "../../test-data/run-desk.ts";
import { verifyAccount } from "../journal/verify-account.ts";
import type { ModelMessage } from "../model/model-adapter.ts";
import type { StoredRecord } from "../store/store.ts";
import { toldOf } from "./model/conversation.ts";

const wholeHistory = { type: "full_history_with_policy", projectionAuditRequired: true } as const;

/** Erases what is kept of a call, and says how many payloads that were. */
async function erase({ store, clock, deck }: RunDesk, callId: string, life = 7): Promise<number> {
  const { seat } = openDesk({ life, clock, deck, store: new FaultyStore(store.inner) });
  const erased = await seat.erase(callId);
  await seat.close();
  return erased;
}

/** The same of the first call of a run that changes something. */
async function eraseFirst(desk: RunDesk, runId: string): Promise<number> {
  const call = (await desk.records(runId)).find(({ kind }) => kind === "call.intended");
  return await erase(desk, (call as { callId?: string }).callId ?? "");
}

test("what is kept of a call of a run is erased with what the model said when it proposed it, and the run verifies", async () => {
  const desk = openRunDesk({ script: saying([write("plums")], "done") });
  const handle = await desk.runs.start({ objective: "write" });
  await handle.wait();
  const kept = async () =>
    JSON.stringify(await desk.store.readStream({ stream: handle.runId, accountId: "acct_1", limit: 100 }));
  expect((await kept()).split("plums")).toHaveLength(3);
  // Its input and its output, what the model said, and the digest of what it was told next.
  expect(await eraseFirst(desk, handle.runId)).toBe(4);
  expect(await kept()).not.toContain("plums");
  expect((await verifyAccount(desk.store, "acct_1")).status).toBe("ok");
  expect(await handle.result()).toMatchObject({ status: "completed", output: "done" });
});

test("what a child was told of a call is erased with it, and what a child was started with is erased with the call that did", async () => {
  const parts = { parent: [[write("plums")], [start("heir", "pears")], "done"], heir: ["thanks"] };
  const desk = openFamily(parts, [childSpec("heir", { handoff: wholeHistory })]);
  const handle = await desk.start();
  const { children } = await handle.wait();
  const kept = async () =>
    JSON.stringify(
      await Promise.all(
        [handle.runId, ...children.map(({ runId }) => runId)].map(
          async (stream) => await desk.store.readStream({ stream, accountId: "acct_1", limit: 100 }),
        ),
      ),
    );
  expect([(await kept()).includes("plums"), (await kept()).includes("pears")]).toStrictEqual([true, true]);
  await eraseFirst(desk, handle.runId);
  expect(await kept()).not.toContain("plums");
  const started = (await desk.records(handle.runId)).find(({ kind }) => kind === "subagent.started");
  await erase(desk, (started as { call?: string }).call ?? "", 8);
  expect(await kept()).not.toContain("pears");
  expect((await verifyAccount(desk.store, "acct_1")).status).toBe("ok");
  await desk.runs.close();
});

/** Everything that is kept of every run of the account. */
async function keptOfRuns({ store }: RunDesk): Promise<string> {
  const runs = await store.inner.documents({ kind: "run", accountId: "acct_1", limit: 100 });
  const streams = runs.map(({ id }) =>
    store.inner.readStream({ stream: id, accountId: "acct_1", limit: 100 }),
  );
  return JSON.stringify(await Promise.all(streams));
}

test("what a child hands on to one that the host starts below it is erased, too", async () => {
  const held = Promise.withResolvers<string>();
  const parts: Parts = {
    parent: [[write("plums")], [start("planner")], "done"],
    planner: () => held.promise,
    heir: ["thanks"],
  };
  const desk = openFamily(parts, [
    childSpec("planner", { handoff: wholeHistory, tools: "inherit_allowlist", budget: { maxChildren: 1 } }),
    childSpec("heir", { handoff: wholeHistory }),
  ]);
  const handle = await desk.start();
  const child = await untilChild(desk, handle.runId);
  const below = await desk.runs.startChild(child, { subagent: "subagent.heir", task: "look", key: "k1" });
  await below.wait();
  held.resolve("ok");
  await handle.wait();
  expect(JSON.stringify(await storedRun(desk.store.inner, below.runId))).toContain("plums");
  await eraseFirst(desk, handle.runId);
  expect(await keptOfRuns(desk)).not.toContain("plums");
  expect((await verifyAccount(desk.store, "acct_1")).status).toBe("ok");
  await desk.runs.close();
});

test("what a later run of its session tells a child is erased, though the clock was set back meanwhile", async () => {
  const parts = { parent: [[write("plums")], "one", [start("heir")], "done"], heir: ["thanks"] };
  const session = { persist: true, ttlMs: 3_600_000, maxHistoryTokens: 100_000 };
  const desk = openFamily(parts, [childSpec("heir", { handoff: wholeHistory })], { policy: { session } });
  const first = await desk.runs.start({ objective: "write", sessionId: "chat" });
  await first.wait();
  desk.clock.jump(-60_000);
  const second = await desk.runs.start({ objective: "go on", sessionId: "chat" });
  const { children } = await second.wait();
  const told = await storedRun(desk.store.inner, children[0]?.runId ?? "");
  expect(JSON.stringify(told)).toContain("plums");
  await eraseFirst(desk, first.runId);
  expect(await keptOfRuns(desk)).not.toContain("plums");
  expect((await verifyAccount(desk.store, "acct_1")).status).toBe("ok");
  await desk.runs.close();
});

test("what a call has told a child is erased where the child was told it, too", async () => {
  const runIn = (messages: readonly ModelMessage[]) =>
    /run_[0-9a-f]{32}/.exec(JSON.stringify(messages))?.[0] ?? "";
  const parts: Parts = {
    parent: ({ messages }, step) => {
      if (step === 1) return [start("asker", "how many?")];
      const reply = { run: runIn(messages), text: "plums" };
      return step === 2 ? [{ name: "subagent.reply_to_clarification", args: reply }] : "done";
    },
    asker: (_input, step) => (step === 1 ? '{"ask":"of what?"}' : "seven"),
  };
  const desk = openFamily(parts, [childSpec("asker", { mayAsk: true })]);
  const handle = await desk.start();
  const { children } = await handle.wait();
  const child = async () => await storedRun(desk.store.inner, children[0]?.runId ?? "");
  expect(JSON.stringify(await child())).toContain("plums");
  expect(toldIn(await child())).toHaveLength(2);
  const sent = (await desk.records(handle.runId)).find(
    (one) => one.kind === "subagent.message" && one.type === "reply",
  );
  await erase(desk, (sent as { call?: string }).call ?? "");
  expect(await keptOfRuns(desk)).not.toContain("plums");
  expect(toldIn(await child())).toHaveLength(1);
  expect((await verifyAccount(desk.store, "acct_1")).status).toBe("ok");
  await desk.runs.close();
});

test("what was proposed beside it, had not begun and is erased with it never runs: the model is to propose it again", async () => {
  // A tool that takes anything, also nothing.
  const deck = new Deck(undefined, [{ name: "notes.any", sideEffect: "user_write", input: {} }]);
  const options = { deck, script: saying([write("a"), { name: "notes.any", args: { text: "b" } }], "done") };
  const desk = openRunDesk(options);
  let intended = 0;
  desk.store.fault = (unit) => {
    if (kindsIn(unit).includes("call.intended")) intended += 1;
    return intended === 2 ? { type: "die", written: false } : undefined;
  };
  const handle = await desk.start();
  await desk.store.died.promise;
  await eraseFirst(desk, handle.runId);
  const next = reopenRunDesk(desk, options);
  expect((await (await next.runs.resume(handle.runId)).wait()).status).toBe("completed");
  expect(deck.inputsOf("notes.any")).toStrictEqual([]);
  expect((await next.labels(handle.runId)).filter((label) => label.startsWith("call."))).toStrictEqual([
    "call.intended",
    "call.settled completed",
    "call.refused invalid_input",
  ]);
  expect(JSON.stringify(next.model.asked.at(-1)?.messages)).toContain("propose it again");
});

/** What somebody finds who tries every number in place of an erased answer, and knows all else that the model was told. */
function numbersFound(stored: readonly StoredRecord[], asked: readonly ModelMessage[]): number[] {
  const digests = new Set(toldIn(stored).map(({ digest }) => digest));
  return Array.from({ length: 10_000 }, (_, code) => code).filter((code) => {
    const guessed = asked.map((one) =>
      one.role === "tool" ? { ...one, text: canonicalJson({ code }) } : one,
    );
    return digests.has(toldOf(guessed).digest);
  });
}

test("what a model was told of a call cannot be found again by guessing once it is erased, and what it was told before stays", async () => {
  const desk = openRunDesk({ script: saying([read], [write("a")], "done"), deed: () => ({ code: 4711 }) });
  const handle = await desk.start();
  await handle.wait();
  const stored = async () => await storedRun(desk.store.inner, handle.runId);
  const [before, told = []] = desk.model.asked.map(({ messages }) => messages);
  expect(numbersFound(await stored(), told)).toStrictEqual([4711]);
  expect(toldIn(await stored())).toHaveLength(3);
  const { callId } = (await desk.records(handle.runId)).find(({ kind }) => kind === "call.read") as {
    callId: string;
  };
  await erase(desk, callId);
  expect(numbersFound(await stored(), told)).toStrictEqual([]);
  expect(toldIn(await stored()).map(({ digest }) => digest)).toStrictEqual([toldOf(before ?? []).digest]);
  // Nor does anything else in a record tell it.
  const digest = toldOf(told).digest.slice("sha256:".length);
  expect(await keptOfRuns(desk)).not.toContain(digest);
  expect((await verifyAccount(desk.store, "acct_1")).status).toBe("ok");
});

test("a run that was under way when a call was erased is told of it still: erased again, nothing is left of that", async () => {
  const asked = Promise.withResolvers<void>();
  const erased = Promise.withResolvers<void>();
  const script: Script = async (_input, step) => {
    if (step === 1) return [read];
    if (step === 3) return "done";
    asked.resolve();
    await erased.promise;
    return [write("a")];
  };
  const desk = openRunDesk({ script, deed: () => ({ code: 4711 }) });
  const handle = await desk.start();
  await asked.promise;
  const call = (await desk.records(handle.runId)).find(({ kind }) => kind === "call.read");
  const { callId = "" } = call as { callId?: string };
  await erase(desk, callId);
  erased.resolve();
  await handle.wait();
  const stored = async () => await storedRun(desk.store.inner, handle.runId);
  expect(toldIn(await stored())).toHaveLength(2);
  expect(await erase(desk, callId, 8)).toBe(1);
  expect(toldIn(await stored())).toHaveLength(1);
  await expect(erase(desk, callId, 9)).rejects.toMatchObject({ code: "not_found" });
  expect((await verifyAccount(desk.store, "acct_1")).status).toBe("ok");
});

test("what later runs of its session and children were told is not found again by guessing either", async () => {
  const parts = { parent: [[read], "one", [start("heir")], "done"], heir: ["thanks"] };
  const session = { persist: true, ttlMs: 3_600_000, maxHistoryTokens: 100_000 };
  const desk = openFamily(parts, [childSpec("heir", { handoff: wholeHistory })], {
    policy: { session },
    deed: () => ({ code: 4711 }),
  });
  const first = await desk.runs.start({ objective: "look", sessionId: "chat" });
  await first.wait();
  const second = await desk.runs.start({ objective: "go on", sessionId: "chat" });
  const { children } = await second.wait();
  const all = [first.runId, second.runId, children[0]?.runId ?? ""];
  const toldInAll = async () =>
    (await Promise.all(all.map(async (runId) => toldIn(await storedRun(desk.store.inner, runId))))).map(
      (one) => one.map(({ kind }) => kind),
    );
  const asked = "model.intended";
  expect(await toldInAll()).toStrictEqual([[asked, asked], [asked, "subagent.started", asked], [asked]]);
  const call = (await desk.records(first.runId)).find(({ kind }) => kind === "call.read");
  await erase(desk, (call as { callId?: string }).callId ?? "");
  expect(await toldInAll()).toStrictEqual([[asked], [], []]);
  expect((await verifyAccount(desk.store, "acct_1")).status).toBe("ok");
  await desk.runs.close();
});
