// B31: what is shown no more is told so, is on record, and is never what the run is to do.
import { canonicalJson } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { keptText, openDesk } from "../../../test-data/call-desk.ts";
import { atFirst, FaultyStore } from "../../../test-data/call-store.ts";
import { messagesOf } from "../../../test-data/messages-of.ts";
import { planned, sessions, shownTo, unpaired } from "../../../test-data/planned-run.ts";
import {
  foldsOf,
  generous,
  inTurn,
  levelOf,
  openRunDesk,
  read,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  storedRun,
} from "../../../test-data/run-desk.ts";
import { until } from "../../../test-data/call-waiting.ts";
import { verifyAccount } from "../../journal/verify-account.ts";
import { toldOf } from "./conversation.ts";

const long = (letter: string, length = 4000): string => letter.repeat(length);
const step = (answer: unknown) => ({ calls: [{ tool: "notes.read", answer }] });
const limited = (maxHistoryTokens: number) => ({ levels: sessions({ maxHistoryTokens }) });

async function play(options: RunDeskOptions): Promise<{ desk: RunDesk; runId: string }> {
  const desk = openRunDesk(options);
  const handle = await desk.start();
  await handle.wait();
  return { desk, runId: handle.runId };
}

const condensedIn = async ({ desk, runId }: { desk: RunDesk; runId: string }) =>
  (await desk.records(runId)).flatMap((one) => (one.kind === "context.condensed" ? [one] : []));

test("it is on record, with how much it would have been and how much it may be, and whoever watches sees it", async () => {
  const played = await play({ ...planned([step(long("a")), step(long("b"))]), ...limited(3200) });
  const { desk, runId } = played;
  const [first, ...others] = await condensedIn(played);
  expect(others).toStrictEqual([]);
  expect(first).toMatchObject({ limit: 3200, messages: 3, stepId: expect.stringMatching(/-3$/) });
  expect(first?.tokens).toBeGreaterThan(3200);
  const shown = shownTo(desk).at(-1) ?? [];
  expect(shown.map(({ role }) => role)).toStrictEqual(["user", "user", "assistant", "tool"]);
  expect(shown[0]?.text.split("\n").map((line) => line.slice(0, 42))).toStrictEqual([
    "Condensed: 2 earlier messages, shortened. ",
    '- called notes.read (t0.0) with: {"text":"',
    '- answer to t0.0: "aaaaaaaaaaaaaaaaaaaaaaa',
  ]);
  const answered = ["model.started", "model.completed"];
  const withCall = [...answered, "tool.resolved", "policy.checked", "tool.started", "tool.completed"];
  expect(await desk.events(runId)).toStrictEqual([
    "runtime.started",
    ...withCall,
    ...withCall,
    "context.condensed",
    ...answered,
    "runtime.completed",
  ]);
});

test("without a policy that says so there is no limit", async () => {
  const steps = Array.from({ length: 12 }, () => step(long("a", 20_000)));
  const played = await play({ ...planned(steps), levels: levelOf(generous) });
  expect(await condensedIn(played)).toStrictEqual([]);
  const shown = shownTo(played.desk).at(-1) ?? [];
  expect(shown.filter(({ text }) => text.length > 20_000)).toHaveLength(12);
});

test("of one answer that is far too long as much is shown as fits, saying so; what comes after it is shown whole again", async () => {
  const steps = [step(long("a", 400_000)), step(long("b", 1500)), step("c")];
  const played = await play({ ...planned(steps), ...limited(5000) });
  const [, second = [], third = []] = shownTo(played.desk);
  const cut = second.at(-1)?.text ?? "";
  expect(cut).toMatch(/^"a{2000,}\[… \d+ more characters, on record\]$/);
  expect(third.at(-1)?.text).toBe(JSON.stringify(long("b", 1500)));
  const run = foldsOf(await storedRun(played.desk.store.inner, played.runId)).at(-1)?.run;
  expect(run && messagesOf(run)[2]?.text).toHaveLength(400_002);
});

test("a long answer in one step does not make those of all later steps short", async () => {
  const many = Array.from({ length: 20 }, () => ({ tool: "notes.read", answer: long("a", 1000) }));
  const later = Array.from({ length: 4 }, () => step(long("b", 1500)));
  const { desk } = await play({ ...planned([{ calls: many }, ...later]), ...limited(5000) });
  const lasts = shownTo(desk)
    .slice(2)
    .map((messages) => messages.at(-1)?.text.length);
  expect(lasts).toStrictEqual([1502, 1502, 1502, 1502]);
});

test("empty answers are answers", async () => {
  const steps = Array.from({ length: 40 }, () => ({
    calls: ["", null, {}, []].map((answer) => ({ tool: "notes.read", answer })),
  }));
  const played = await play({ ...planned(steps), ...limited(1500) });
  expect((await condensedIn(played)).length).toBeGreaterThan(0);
  for (const messages of shownTo(played.desk)) expect(unpaired(messages)).toStrictEqual([]);
  expect(
    shownTo(played.desk)
      .at(-1)
      ?.slice(-4)
      .map(({ text }) => text),
  ).toStrictEqual(['""', "null", "{}", "[]"]);
});

describe("where nothing less can be shown the run goes on with what there is:", () => {
  test.each([0, 1, 50])("a limit of %i tokens", async (limit) => {
    const steps = Array.from({ length: 4 }, () => step(long("a", 50)));
    const { desk, runId } = await play({ ...planned(steps), ...limited(limit) });
    expect((await desk.labels(runId)).at(-1)).toBe("run.ended completed");
    expect(
      shownTo(desk)
        .at(-1)
        ?.map(({ text }) => text.slice(0, 22)),
    ).toStrictEqual(["Condensed: 6 earlier m", "take a note", "", '"aaaaaaaaaaaaaaaaaaaaa']);
  });

  test("what it is to do is longer than what it may be shown: nothing is condensed, and it is shown whole", async () => {
    const desk = openRunDesk({ ...planned([step("a")]), ...limited(500) });
    const objective = [
      { role: "system", text: long("s", 3000) },
      { role: "user", text: long("u", 3000) },
      { role: "user", text: "now" },
    ];
    const handle = await desk.runs.start({ objective });
    expect(await handle.wait()).toMatchObject({ status: "completed" });
    expect(shownTo(desk)[0]).toStrictEqual(objective);
    expect(shownTo(desk)[1]?.slice(0, 3)).toStrictEqual(objective);
    expect(await desk.kinds(handle.runId)).not.toContain("context.condensed");
  });

  test("an objective without any message is one like any other", async () => {
    const desk = openRunDesk({ ...planned([step(long("a", 3000))]), ...limited(0) });
    const handle = await desk.runs.start({ objective: [] });
    expect(await handle.wait()).toMatchObject({ status: "completed" });
    expect(shownTo(desk).map((messages) => messages[0])).toStrictEqual([
      { role: "user", text: "[]" },
      { role: "user", text: "[]" },
    ]);
  });
});

test("a model that fails is asked the same again, and nothing is condensed twice for it", async () => {
  const steps = planned([step(long("a")), step(long("b"))]);
  let failures = 0;
  const desk = openRunDesk({
    ...steps,
    ...limited(3200),
    script: (input, turn) => {
      if (input.messages[0]?.text.startsWith("Condensed") === true && failures++ < 2) throw new Error("busy");
      return steps.script?.(input, turn) ?? "done";
    },
  });
  const handle = await desk.start();
  for (const ms of [500, 1000]) {
    await until(() => desk.clock.waits.includes(ms), `a pause of ${ms}`);
    desk.clock.advance(ms);
  }
  expect(await handle.wait()).toMatchObject({ status: "completed" });
  const digests = desk.model.asked.slice(2).map(({ messages }) => toldOf(messages).digest);
  expect([digests.length, new Set(digests).size]).toStrictEqual([3, 1]);
  expect((await desk.kinds(handle.runId)).filter((kind) => kind === "context.condensed")).toHaveLength(1);
});

test("with a counter that says another number each time it comes to its end, too", async () => {
  let counted = 0;
  const countTokens = () => (counted++ % 2 === 0 ? 5000 : 10);
  const steps = Array.from({ length: 5 }, () => step(long("a", 500)));
  const { desk, runId } = await play({ ...planned(steps), ...limited(100), model: { countTokens } });
  expect((await desk.labels(runId)).at(-1)).toBe("run.ended completed");
});

test("a last word that is not what it must be is shown with what was wrong with it", async () => {
  const desk = openRunDesk({
    script: inTurn([read], long("no JSON ", 500), '{"n":1}'),
    deed: () => long("a"),
    output: { type: "object", required: ["n"] },
    ...limited(100),
  });
  const handle = await desk.start();
  expect(await handle.wait()).toMatchObject({ status: "completed", output: { n: 1 } });
  const last = shownTo(desk).at(-1) ?? [];
  expect(last.map(({ role }) => role)).toStrictEqual(["user", "user", "assistant", "user"]);
  expect(last.at(-2)?.text).toBe(long("no JSON ", 500));
  expect(last.at(-1)?.text).toContain("Answer once more");
});

test("where a host puts together itself what a model is shown, that is what it is shown", async () => {
  const desk = openRunDesk({
    ...planned([step(long("a"))]),
    ...limited(10),
    assemble: (run) => ({ messages: messagesOf(run) }),
  });
  const handle = await desk.start();
  await handle.wait();
  expect(shownTo(desk).at(-1)).toHaveLength(3);
  expect(await desk.kinds(handle.runId)).not.toContain("context.condensed");
});

test("S1: what was hidden stays hidden in what is condensed, and where answers are cut", async () => {
  const secret = "sk-proj-9aZ8bY7cX6dW5eV4fU3gT2hS1iR0jQ9kP8lO7mN6";
  // At every place of the cuts that are made of it.
  const leaking = (at: number) => ({ words: `${"x".repeat(at)} the key is ${secret} ${"y".repeat(600)}` });
  const steps = Array.from({ length: 14 }, (_, index) => ({
    text: `I was told ${secret}`,
    calls: [{ tool: "notes.read", answer: leaking(index * 20) }],
  }));
  const played = await play({ ...planned(steps), ...limited(900) });
  expect((await condensedIn(played)).length).toBeGreaterThan(5);
  const prompts = canonicalJson(shownTo(played.desk));
  const stored = JSON.stringify(await storedRun(played.desk.store.inner, played.runId));
  for (const text of [prompts, stored, await keptText(played.desk.store.inner)]) {
    // Not the half of it either.
    expect(text).not.toContain(secret.slice(0, 20));
    expect(text).not.toContain(secret.slice(-20));
  }
  expect(prompts).toContain("[redacted:");
});

describe("what is erased of a call is erased in what was condensed of it:", () => {
  const said = (word: string) => ({ calls: [{ tool: "notes.write", answer: `${word} ${long("x", 3000)}` }] });
  const erase = async ({ store, clock, deck }: RunDesk, callId: string) => {
    const { seat } = openDesk({ life: 7, clock, deck, store: new FaultyStore(store.inner) });
    await seat.erase(callId);
    await seat.close();
  };
  const callsOf = async ({ desk, runId }: { desk: RunDesk; runId: string }) =>
    (await desk.records(runId)).flatMap((one) => (one.kind === "call.intended" ? [one.callId] : []));

  test("in its run, and the run verifies", async () => {
    const played = await play({ ...planned([said("plums"), said("pears"), said("figs")]), ...limited(2500) });
    const { desk, runId } = played;
    const kept = async () => JSON.stringify(await storedRun(desk.store.inner, runId));
    const before = (await condensedIn(played)).length;
    expect([before, (await kept()).split("plums").length]).toStrictEqual([2, 4]);
    const [first = ""] = await callsOf(played);
    await erase(desk, first);
    expect((await kept()).split("plums")).toHaveLength(1);
    expect((await kept()).split("pears").length).toBeGreaterThan(1);
    expect(await verifyAccount(desk.store.inner, "acct_1")).toMatchObject({ status: "ok" });
  });

  test.each([
    ["", 0],
    [", though the clock was set back meanwhile", -60_000],
  ])("in the runs of its session after it, which go on without%s", async (_, jump) => {
    const sessionId = "chat";
    const options = limited(2000);
    const first = openRunDesk({ ...options, ...planned([said("plums")], "r") });
    const before = await first.runs.start({ objective: "look", sessionId });
    await before.wait();
    first.clock.jump(jump);
    const steps = planned([said("pears"), said("figs")], "s");
    const second = reopenRunDesk(first, { ...options, ...steps });
    second.store.fault = atFirst("call.settled", { type: "die", written: true });
    const handle = await second.runs.start({ objective: "look again", sessionId });
    await second.store.died.promise;
    expect(await second.kinds(handle.runId)).toContain("context.condensed");
    const kept = async () => JSON.stringify(await storedRun(first.store.inner, handle.runId));
    expect(await kept()).toContain("plums");
    const [call = ""] = await callsOf({ desk: first, runId: before.runId });
    await erase(first, call);
    expect(await kept()).not.toContain("plums");
    const next = reopenRunDesk(first, { ...options, ...steps, life: 3 });
    expect(await (await next.runs.resume(handle.runId)).wait()).toMatchObject({ status: "completed" });
    for (const messages of shownTo(next)) expect(unpaired(messages)).toStrictEqual([]);
    expect(JSON.stringify(shownTo(next))).not.toContain("plums");
  });

  test("and not in those before it, though the clock was set back meanwhile", async () => {
    const sessionId = "chat";
    const first = openRunDesk({ ...limited(1500), ...planned([said("plums"), said("figs")], "r") });
    const before = await first.runs.start({ objective: "look", sessionId });
    await before.wait();
    expect((await condensedIn({ desk: first, runId: before.runId })).length).toBeGreaterThan(0);
    const kept = JSON.stringify(await storedRun(first.store.inner, before.runId));
    first.clock.jump(-60_000);
    const second = reopenRunDesk(first, { ...limited(100_000), ...planned([said("pears")], "s") });
    const { runId } = await second.runs.start({ objective: "look again", sessionId });
    await (await second.runs.get(runId)).wait();
    const [call = ""] = await callsOf({ desk: second, runId });
    await erase(second, call);
    expect(JSON.stringify(await storedRun(first.store.inner, runId))).not.toContain("pears");
    expect(JSON.stringify(await storedRun(first.store.inner, before.runId))).toBe(kept);
  });
});
