import { expect, test } from "vitest";
import { foldsOf, openRunDesk, read, saying, storedRun, write } from "../../test-data/run-desk.ts";
import { Conversation, toldOf } from "./conversation.ts";
import { messagesOf } from "./run-messages.ts";

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
  const digests = (await desk.records(handle.runId)).flatMap((record) =>
    record.kind === "model.intended" ? [record.messagesDigest] : [],
  );
  expect(digests).toStrictEqual(desk.model.asked.map(({ messages }) => toldOf(messages).digest));
  expect(new Set(digests).size).toBe(3);
});

test("one message more, less, or another is another digest", () => {
  const one = { role: "user", text: "a" } as const;
  const two = { role: "user", text: "b" } as const;
  const digests = [[], [one], [two], [one, two], [two, one], [one, one]].map((list) => toldOf(list).digest);
  expect(new Set(digests).size).toBe(digests.length);
});
