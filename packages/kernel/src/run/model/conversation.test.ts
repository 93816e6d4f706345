import { expect, test } from "vitest";
import { messagesOf } from "../../../test-data/messages-of.ts";
import { foldsOf, openRunDesk, read, saying, storedRun, toldIn, write } from "../../../test-data/run-desk.ts";
import { Conversation, toldOf } from "./conversation.ts";
import type { Condensed, Run } from "../state/fold-run.ts";

const script = saying([write("a"), read], [read], "written");

test("what is told step by step is what is told at once: the same messages, digest and size", async () => {
  const desk = openRunDesk({ script });
  const handle = await desk.start();
  await handle.wait();
  const folds = foldsOf(await storedRun(desk.store.inner, handle.runId));
  const conversation = new Conversation();
  // Only a model's turn is a time to tell: what it proposed has ended.
  const turns = folds.filter(({ run }) => run.shape.state === "assembling" || run.shape.state === "starting");
  expect(turns.length).toBeGreaterThan(2);
  for (const { run } of turns) {
    const told = conversation.upTo(run);
    expect(told).toStrictEqual(new Conversation().upTo(run));
    expect(told).toStrictEqual(toldOf(messagesOf(run)));
  }
});

test("on record is the digest of what the model was shown, each time another", async () => {
  const desk = openRunDesk({ script });
  const handle = await desk.start();
  await handle.wait();
  const digests = toldIn(await storedRun(desk.store.inner, handle.runId)).map(({ digest }) => digest);
  expect(digests).toStrictEqual(desk.model.asked.map(({ messages }) => toldOf(messages).digest));
  expect(new Set(digests).size).toBe(3);
});

test("one message more, less, or another is another digest", () => {
  const one = { role: "user", text: "a" } as const;
  const two = { role: "user", text: "b" } as const;
  const digests = [[], [one], [two], [one, two], [two, one], [one, one]].map((list) => toldOf(list).digest);
  expect(new Set(digests).size).toBe(digests.length);
});

/** A run of so many steps, and how often what was called in each was looked at. */
function watchedRun(steps: number): {
  readonly after: (count: number, condensed?: Condensed) => Run;
  readonly looks: number[];
} {
  const looks = Array.from({ length: steps }, () => 0);
  const all = looks.map((_, index) => {
    const callId = `call_${index}`;
    const args = {
      get text() {
        looks[index] = (looks[index] ?? 0) + 1;
        return "a";
      },
    };
    const calls = [{ id: callId, callId, name: "notes.read", args, index: 0 }];
    return { stepId: `step_${index}`, text: "", calls, results: [{ callId, text: "{}" }] };
  });
  const run = {
    objective: "look",
    shape: { strategy: "sequential" },
    notes: [],
    told: new Set(),
    isDetached: false,
    children: new Map(),
  };
  return {
    looks,
    after: (count, condensed) => ({ ...run, steps: all.slice(0, count), condensed }) as unknown as Run,
  };
}

test("a late step costs what an early one does: what was told before is not gone through again", () => {
  const { after, looks } = watchedRun(300);
  const conversation = new Conversation();
  for (let step = 0; step <= 300; step++) conversation.upTo(after(step));
  // Once to be hashed, once to be frozen.
  expect([...new Set(looks)]).toStrictEqual([2]);
});

test("what is condensed is gone through once more, and then no more either", () => {
  const { after, looks } = watchedRun(300);
  const conversation = new Conversation();
  const condensed = { messages: 401, steps: 220, text: "Condensed: 400 earlier messages" };
  for (let step = 0; step <= 300; step++) conversation.upTo(after(step, step < 220 ? undefined : condensed));
  const gone = new Set(looks.slice(0, 200));
  const shown = new Set(looks.slice(200, 219));
  const later = new Set(looks.slice(220));
  expect([[...gone], [...shown], [...later]]).toStrictEqual([[2], [3], [2]]);
});

test("to see how much less would fit, nothing is gone through that is shown no more", () => {
  const { after, looks } = watchedRun(300);
  const conversation = new Conversation();
  const condensed = { messages: 401, steps: 220, text: "Condensed: 400 earlier messages" };
  conversation.upTo(after(300, condensed));
  looks.fill(0);
  const [half] = conversation.condensations();
  expect(half?.messages).toBeGreaterThan(401);
  expect(looks.slice(0, 150).every((count) => count === 0)).toBe(true);
});
