// What was said in the runs of a session before comes first in the next: each message once, each call with its answer, no secret.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Deck } from "../../../test-data/call-deck.ts";
import { JournalAppendFailedError } from "@spfunctions/contracts";
import { atFirst } from "../../../test-data/call-store.ts";
import { settlement, turn, until } from "../../../test-data/call-waiting.ts";
import { planned, type PlannedStep, sessions, shownTo, unpaired } from "../../../test-data/planned-run.ts";
import {
  atOnce,
  generous,
  inOrder,
  levelOf,
  openRunDesk,
  read,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  type Saying,
  type Script,
  storedRun,
  write,
} from "../../../test-data/run-desk.ts";
import { hang } from "../../../test-data/run-levers.ts";
import type { ModelMessage } from "../../model/model-adapter.ts";

const sessionId = "chat";
const note = "(what was said earlier in this session is on record, and not shown)";
const echo: Script = ({ messages }) => `you said: ${messages.at(-1)?.text ?? ""}`;
const user = (text: string): ModelMessage => ({ role: "user", text });
const assistant = (text: string): ModelMessage => ({ role: "assistant", text });

async function say({ runs }: RunDesk, objective: unknown) {
  return await (await runs.start({ objective: objective as string, sessionId })).wait();
}

test("over several runs and processes: everything that was said, oldest first, then what it is to do now", async () => {
  const options: RunDeskOptions = { script: echo, levels: sessions() };
  const desk = openRunDesk(options);
  await say(desk, "one");
  await say(desk, "two");
  const next = reopenRunDesk(desk, options);
  await say(next, "three");
  const last = reopenRunDesk(desk, { ...options, life: 3 });
  await say(last, "four");
  expect(shownTo(last)).toStrictEqual([
    [
      user("one"),
      assistant("you said: one"),
      user("two"),
      assistant("you said: two"),
      user("three"),
      assistant("you said: three"),
      user("four"),
    ],
  ]);
});

test("the records name the run before", async () => {
  const desk = openRunDesk({ script: echo, levels: sessions() });
  for (const objective of ["one", "two", "three"]) await say(desk, objective);
  const runs = (await desk.runs.list()).toSorted((one, other) => (one.runId < other.runId ? -1 : 1));
  const openings = await Promise.all(runs.map(async ({ runId }) => (await desk.records(runId))[0]));
  expect(openings.map((one) => (one?.kind === "run.opened" ? one.previous : "no opening"))).toStrictEqual([
    undefined,
    runs[0]?.runId,
    runs[1]?.runId,
  ]);
  expect(openings).toMatchObject([{ sessionId }, { sessionId }, { sessionId }]);
});

test("instructions are each run's own: those of earlier runs are not repeated", async () => {
  const desk = openRunDesk({ script: echo, levels: sessions() });
  const told = (instructions: string, text: string) => [{ role: "system", text: instructions }, user(text)];
  await say(desk, told("be brief", "one"));
  await say(desk, [...told("be long", "two"), { role: "system", text: "and polite" }, user("please")]);
  await say(desk, told("be kind", "three"));
  expect(shownTo(desk).at(-1)).toStrictEqual([
    { role: "system", text: "be kind" },
    user("one"),
    assistant("you said: one"),
    user("two"),
    user("please"),
    assistant("you said: please"),
    user("three"),
  ]);
});

test("what a model called, and what came of it, is there too", async () => {
  const desk = openRunDesk({
    ...planned([{ calls: [{ tool: "notes.read", answer: { n: 1 } }] }]),
    levels: sessions(),
  });
  await say(desk, "look");
  const next = reopenRunDesk(desk, { script: echo, levels: sessions() });
  await say(next, "and?");
  expect(shownTo(next)[0]).toStrictEqual([
    user("look"),
    { role: "assistant", text: "", toolCalls: [{ id: "t0.0", name: "notes.read", args: { text: "t0.0" } }] },
    { role: "tool", toolCallId: "t0.0", text: '{"n":1}' },
    assistant("done"),
    user("and?"),
  ]);
});

describe("every call that an earlier run has left without an answer has one:", () => {
  const after = async (desk: RunDesk): Promise<readonly ModelMessage[]> => {
    const next = reopenRunDesk(desk, { script: echo, levels: sessions() });
    await say(next, "and now?");
    const [shown = []] = shownTo(next);
    expect(unpaired(shown)).toStrictEqual([]);
    return shown;
  };
  const unanswered = "(the run ended before there was an answer)";

  test("cancelled while the first of three ran", async () => {
    const desk = openRunDesk({
      script: saying([write("a"), write("b"), read], "done"),
      deed: hang,
      levels: sessions(),
    });
    const handle = await desk.runs.start({ objective: "go", sessionId });
    await until(() => desk.deck.runs.length === 1);
    await handle.cancel();
    await handle.wait();
    const answers = (await after(desk)).filter(({ role }) => role === "tool").map(({ text }) => text);
    expect(answers.slice(1)).toStrictEqual([unanswered, unanswered]);
    expect(answers[0]).toContain("cancelled");
  });

  test("stopped when its key was withdrawn", async () => {
    let isValid = true;
    const desk = openRunDesk({
      script: saying([write("a"), write("b")], "done"),
      deed: () => {
        isValid = false;
        return {};
      },
      isStarterValid: () => isValid,
      levels: sessions(),
    });
    expect(await say(desk, "go")).toMatchObject({ status: "blocked" });
    const shown = await after(desk);
    expect(shown.filter(({ role }) => role === "tool").map(({ text }) => text)).toStrictEqual([
      "{}",
      unanswered,
    ]);
  });

  test("one that failed before its model said anything is what was asked", async () => {
    const broken = () => {
      throw new Error("no");
    };
    const desk = openRunDesk({ script: broken, runLimits: { modelAttempts: 1 }, levels: sessions() });
    expect(await say(desk, "go")).toMatchObject({ status: "failed" });
    expect(await after(desk)).toStrictEqual([user("go"), user("and now?")]);
  });

  test("for any runs, however they were stopped", async () => {
    const deck = new Deck();
    const anyRun = fc.record({
      steps: fc.array(fc.array(fc.constantFrom("a", "b", "stop"), { minLength: 1, maxLength: 4 }), {
        maxLength: 3,
      }),
      strategy: fc.constantFrom({ type: "sequential" as const }, inOrder(2), atOnce(2)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyRun, { minLength: 1, maxLength: 3 }), async (runs) => {
        let desk = openRunDesk({ deck, levels: sessions(), script: echo });
        for (const [life, { steps, strategy }] of runs.entries()) {
          const said: Saying[] = steps.map((texts) =>
            texts.map((text) => ({ name: "notes.put", args: { text } })),
          );
          let asked = 0;
          desk = openRunDesk({
            deck,
            strategy,
            levels: sessions(),
            life: life + 1,
            store: desk.store,
            clock: desk.clock,
            script: () => said[asked++] ?? "done",
          });
          const { runs: here } = desk;
          deck.deed = (input) => {
            if ((input as { text: string }).text !== "stop") return { done: true };
            void here.cancel(handle.runId);
            return hang();
          };
          const handle = await desk.runs.start({ objective: `run ${life}`, sessionId });
          await handle.wait();
        }
        const last = reopenRunDesk(desk, { deck, script: echo, levels: sessions(), life: 9 });
        await say(last, "and now?");
        const [shown = []] = shownTo(last);
        expect(unpaired(shown)).toStrictEqual([]);
        expect(shown.flatMap((one) => (one.role === "user" ? one.text : []))).toStrictEqual([
          ...runs.map((_, life) => `run ${life}`),
          "and now?",
        ]);
      }),
      { numRuns: 25 },
    );
  });
});

test("S1: secrets of an earlier run are there only as what was kept of them", async () => {
  const secret = "sk-proj-9aZ8bY7cX6dW5eV4fU3gT2hS1iR0jQ9kP8lO7mN6";
  const words = `the key is ${secret}`;
  const options = { levels: sessions() };
  const desk = openRunDesk({
    ...options,
    script: saying([{ name: "notes.sign", args: { apiKey: secret } }], `I used ${secret}`),
    deed: () => ({ words }),
  });
  await say(desk, { words, password: "hunter2-hunter2" });
  await say(desk, "and?");
  const next = reopenRunDesk(desk, { ...options, script: echo });
  await say(next, "and now?");
  const seen = JSON.stringify([shownTo(desk).at(-1), shownTo(next)]);
  expect(seen).not.toMatch(/sk-proj-9|hunter2/);
  expect(seen.match(/\[redacted:/g)?.length).toBeGreaterThan(4);
  expect(
    JSON.stringify(await desk.store.inner.document({ kind: "session", accountId: "acct_1", id: sessionId })),
  ).not.toMatch(/sk-proj-9|hunter2/);
});

describe("no more of it is read and shown than the policy says:", () => {
  const turns = async (count: number, maxHistoryTokens: number, model: RunDeskOptions["model"] = {}) => {
    const levels = sessions({ maxHistoryTokens });
    const options: RunDeskOptions = { script: () => "x".repeat(2000), levels, model };
    const desk = openRunDesk(options);
    for (let number = 1; number <= count; number++) {
      await say(desk, `question ${number}`);
    }
    const next = reopenRunDesk(desk, options);
    const streams = new Set<string>();
    next.store.beforeRead = ({ stream }) => void streams.add(stream);
    await say(next, "the last question");
    streams.delete((await next.runs.list()).at(-1)?.runId ?? "");
    return { shown: shownTo(next)[0] ?? [], read: streams.size };
  };

  test("runs from before are read until there is enough, and that there were others is said", async () => {
    const { shown, read: streams } = await turns(12, 2000);
    // 2,000 tokens are at most 8,000 bytes.
    expect(streams).toBe(4);
    expect(shown[0]?.text).toMatch(/^Condensed: 9 earlier messages, shortened/);
    expect(shown.at(-1)).toStrictEqual(user("the last question"));
    expect(shown.length).toBeLessThan(5);
  });

  test("whoever counts fewer tokens is shown all that was read, and first that there were others", async () => {
    const { shown, read: streams } = await turns(12, 2000, { countTokens: () => 100 });
    expect(streams).toBe(4);
    expect(shown).toHaveLength(10);
    expect(shown.slice(0, 2)).toStrictEqual([user(note), user("question 9")]);
  });

  test("everything, where it fits", async () => {
    const { shown, read: streams } = await turns(5, 20_000);
    expect([shown.length, streams]).toStrictEqual([11, 5]);
    expect(JSON.stringify(shown)).not.toContain(note);
  });

  test("nothing at all, where that is what it says: only that there was something", async () => {
    const { shown } = await turns(3, 0);
    expect(shown).toStrictEqual([user(note), user("the last question")]);
  });
});

describe("B22: nothing is said from what somebody else wrote:", () => {
  const steps: PlannedStep[] = [{ calls: [{ tool: "notes.read", answer: "as it was" }] }];
  const talked = async () => {
    const desk = openRunDesk({ ...planned(steps), levels: sessions() });
    await say(desk, "one");
    await say(desk, "two");
    const runs = (await desk.runs.list()).map(({ runId }) => runId).toSorted();
    return { desk, runs };
  };

  test("the run before was changed: the next is refused, and nothing of it is written", async () => {
    const { desk, runs } = await talked();
    const next = reopenRunDesk(desk, { script: echo, levels: sessions() });
    next.store.tamper = (records, { stream }) => (stream === runs[1] ? records.slice(0, -1) : records);
    await expect(say(next, "three")).rejects.toMatchObject({ code: "journal_corrupt" });
    expect([next.model.asked.length, (await next.runs.list()).length]).toStrictEqual([0, 2]);
  });

  test.each<[string, (text: string) => string]>([
    ["what a tool answered", (text) => text.replace("as it was", "as I want")],
    ["what it was asked", (text) => text.replace('"one"', '"two"')],
  ])(
    "one before that was changed in %s: the next fails with that, and its model is asked nothing",
    async (_what, edit) => {
      const { desk, runs } = await talked();
      const next = reopenRunDesk(desk, { script: echo, levels: sessions() });
      let edits = 0;
      next.store.tamper = (records, { stream }) =>
        stream !== runs[0]
          ? records
          : records.map((one) => ({
              ...one,
              content: one.content.map((row) => {
                if (!("text" in row) || edit(row.text) === row.text) return row;
                edits += 1;
                return { ...row, text: edit(row.text) };
              }),
            }));
      expect(await say(next, "three")).toMatchObject({
        status: "failed",
        error: { code: "journal_corrupt" },
      });
      expect(edits).toBeGreaterThan(0);
      expect(next.model.asked).toStrictEqual([]);
    },
  );

  /** The next process, where one run is another: of the same name, with a sound chain and a sound seal. Only the proof cannot be made. */
  const forged = async (desk: RunDesk, runId = ""): Promise<RunDesk> => {
    const forger = openRunDesk({ script: () => "sell everything", levels: sessions() });
    await say(forger, "one");
    await say(forger, "two");
    const records = await storedRun(forger.store.inner, runId);
    const key = { kind: "run", accountId: "acct_1", id: runId } as const;
    const body = (await forger.store.inner.document(key))?.body.replace(
      /"proof":"[^"]*"/,
      '"proof":"made up"',
    );
    const next = reopenRunDesk(desk, { script: echo, levels: sessions() });
    next.store.tamper = (stored, { stream }) => (stream === runId ? records : stored);
    const { inner } = next.store;
    const expects = (await inner.document(key))?.revision ?? 0;
    const put = { ...key, type: "put", status: "completed", body: body ?? "", expects } as const;
    await inner.commit({ durability: "process", now: 0, documents: [put] });
    return next;
  };

  test("the run before was forged whole, by somebody without the installation's secret", async () => {
    const { desk, runs } = await talked();
    const next = await forged(desk, runs[1]);
    await expect(say(next, "three")).rejects.toMatchObject({ details: { reason: "no_proof" } });
    expect([next.model.asked.length, (await next.runs.list()).length]).toStrictEqual([0, 2]);
  });

  test("one before that was", async () => {
    const { desk, runs } = await talked();
    const next = await forged(desk, runs[0]);
    expect(await say(next, "three")).toMatchObject({ status: "failed", error: { code: "journal_corrupt" } });
    expect(next.model.asked).toStrictEqual([]);
  });
});

test("a store that cannot be read for a while where the history is ends no run: it goes on by itself when it can", async () => {
  const desk = openRunDesk({ script: echo, levels: sessions() });
  await say(desk, "one");
  await say(desk, "two");
  const [first] = (await desk.runs.list()).map(({ runId }) => runId).toSorted();
  const next = reopenRunDesk(desk, {
    script: echo,
    levels: sessions(),
    runLimits: { outageMs: 20_000 },
  });
  let readings = 0;
  next.store.beforeRead = ({ stream }) => {
    if (stream !== first) return;
    readings++;
    throw new JournalAppendFailedError("the disk does not answer");
  };
  const pass = async (seconds: number) => {
    for (let at = 0; at < seconds; at++) {
      next.clock.advance(1000);
      await turn();
      await turn();
    }
  };
  const handle = await next.runs.start({ objective: "three", sessionId });
  await pass(10);
  expect(await settlement(handle.wait())).toStrictEqual({ state: "pending" });
  await pass(20);
  // It is asked again after pauses of up to two seconds, each time once or twice.
  expect(readings).toBeLessThan(60);
  expect(await settlement(handle.wait())).toMatchObject({
    state: "broken",
    error: { code: "journal_append_failed" },
  });
  next.store.beforeRead = () => undefined;
  await pass(10);
  expect(await settlement(handle.wait())).toMatchObject({ state: "kept", value: { status: "completed" } });
  expect(shownTo(next)).toMatchObject([{ length: 5 }]);
});

test("after a crash the next process shows the same as the one before", async () => {
  const options: RunDeskOptions = { levels: sessions() };
  const desk = openRunDesk({
    ...options,
    ...planned([{ calls: [{ tool: "notes.put", answer: "a" }] }], "r"),
  });
  await say(desk, "one");
  const steps = planned(
    [{ calls: [{ tool: "notes.put", answer: "b" }] }, { calls: [{ tool: "notes.read", answer: "c" }] }],
    "s",
  );
  const second = reopenRunDesk(desk, { ...options, ...steps });
  second.store.fault = atFirst("call.settled", { type: "die", written: true });
  const handle = await second.runs.start({ objective: "two", sessionId });
  await second.store.died.promise;
  const third = reopenRunDesk(desk, { ...options, ...steps, life: 3 });
  await (await third.runs.resume(handle.runId)).wait();
  const [first = []] = shownTo(second);
  expect(first).toHaveLength(5);
  expect(shownTo(third).map((messages) => messages.slice(0, 5))).toStrictEqual([first, first]);
});

test("an earlier run's wish that its own policy allowed is no wish of the next: it is only told", async () => {
  const desk = openRunDesk({ script: saying([write("a")], "done"), levels: sessions() });
  await say(desk, "write");
  const strict = levelOf({
    ...generous,
    maxSideEffect: "none",
    session: { persist: true, ttlMs: 1000, maxHistoryTokens: 9000 },
  });
  const next = reopenRunDesk(desk, { script: echo, levels: strict });
  next.deck.runs.length = 0;
  await say(next, "and?");
  expect(next.deck.runs).toStrictEqual([]);
  expect(next.model.asked[0]?.tools.map(({ name }) => name)).not.toContain("notes.write");
});
