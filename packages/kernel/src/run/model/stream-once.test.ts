// What a model says while it says it is seen, by whoever watches, without secrets; what is acted on is its last word alone.
import { ProviderFailedError, type RuntimeEvent } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { turn, until } from "../../../test-data/call-waiting.ts";
import {
  openRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  write,
} from "../../../test-data/run-desk.ts";
import type { ModelCompleteInput, ModelEvent } from "../../model/model-adapter.ts";

type Pieces = (input: ModelCompleteInput, result: ModelEvent) => AsyncGenerator<ModelEvent>;

/** A desk whose model says what its script says in pieces. */
function streaming(options: RunDeskOptions, pieces: Pieces): RunDesk & { heard: RuntimeEvent[] } {
  const desk = openRunDesk(options);
  const { model } = desk;
  Object.assign(model, {
    stream: async function* (input: ModelCompleteInput) {
      yield* pieces(input, { type: "done", result: await model.complete(input) });
    },
  });
  return { ...desk, heard: [] };
}

const letters: Pieces = async function* (_input, done) {
  if (done.type !== "done") return;
  for (const text of done.result.text ?? "") yield { type: "text.delta", text };
  yield { type: "usage", usage: done.result.usage };
  yield done;
};

const start = async ({ runs, heard }: ReturnType<typeof streaming>) =>
  await runs.start({ objective: "say it" }, (event) => void heard.push(event));
const saidIn = (events: readonly RuntimeEvent[]) =>
  events.flatMap((event) => (event.type === "model.delta" ? [event.text] : [])).join("");

test("a run that is watched is heard while it speaks, and comes to the same as one that is not", async () => {
  const script = saying([write("a")], "all is written");
  const desk = streaming({ script }, letters);
  const handle = await start(desk);
  const { output, spent } = await handle.wait();
  const quiet = await (await openRunDesk({ script }).start()).wait();
  expect([output, spent.steps, spent.toolCalls]).toStrictEqual([
    quiet.output,
    quiet.spent.steps,
    quiet.spent.toolCalls,
  ]);
  expect(saidIn(desk.heard)).toBe("all is written");
  expect(desk.heard.every((event) => "live" in event)).toBe(true);
  expect(desk.deck.runs).toHaveLength(1);
});

test("where nobody watches nothing is streamed", async () => {
  const desk = streaming({ script: saying("done") }, async function* () {
    yield await Promise.reject<ModelEvent>(new Error("it was asked to"));
  });
  expect((await (await desk.start()).wait()).status).toBe("completed");
});

test("S1: a secret that comes in pieces is in no piece that is heard", async () => {
  const secret = `sk-proj-${"Ab1".repeat(14)}`;
  const desk = streaming({ script: saying(`the key is ${secret}, keep it`) }, letters);
  await (await start(desk)).wait();
  const said = saidIn(desk.heard);
  expect(said).toContain("the key is");
  expect(said).toContain("keep it");
  expect(said).not.toContain(secret.slice(8));
});

describe("a stream that breaks off", () => {
  const broken: Pieces = async function* (_input, done) {
    yield { type: "text.delta", text: "I was about to" };
    if (done.type === "done" && done.result.text === "done") yield done;
  };

  test("is a failure and no short answer: what was heard is void, and the model is asked again", async () => {
    let asked = 0;
    const desk = streaming({ script: () => (asked++ === 0 ? "half" : "done") }, broken);
    const handle = await start(desk);
    await until(() => desk.clock.waits.includes(500));
    desk.clock.advance(500);
    expect(await handle.wait()).toMatchObject({ status: "completed", output: "done" });
    expect(await desk.labels(handle.runId)).toContain("model.settled failed provider_failed");
    expect(await desk.events(handle.runId)).toContain("model.attempt.discarded");
    const seen: unknown[] = [];
    for await (const event of handle.stream()) seen.push(event);
    expect(seen).toContainEqual(
      expect.objectContaining({
        type: "model.attempt.discarded",
        error: expect.objectContaining({ code: "provider_failed", message: expect.stringMatching(/\S/) }),
      }),
    );
  });
});

test("a watcher that throws changes nothing", async () => {
  const desk = streaming({ script: saying("done") }, letters);
  const handle = await desk.runs.start({ objective: "say it" }, () => {
    throw new Error("not now");
  });
  expect(await handle.wait()).toMatchObject({ status: "completed", output: "done" });
});

test("nothing is heard any more of a run that was cancelled", async () => {
  const hold = Promise.withResolvers<void>();
  const desk = streaming({ script: saying("done") }, async function* (_input, done) {
    yield { type: "text.delta", text: "before " };
    await hold.promise;
    yield { type: "text.delta", text: "after " };
    yield done;
  });
  const handle = await start(desk);
  await turn();
  await handle.cancel();
  hold.resolve();
  expect((await handle.wait()).status).toBe("cancelled");
  await turn();
  expect(saidIn(desk.heard)).not.toContain("after");
});

test("a stream that never ends, and does not hear that it should, is listened to no longer than it has time", async () => {
  let said = 0;
  let isOver = false;
  const desk = streaming({ script: saying("done"), runLimits: { modelAttempts: 1 } }, async function* () {
    try {
      for (; said < 10_000; said++) {
        await turn();
        yield { type: "text.delta", text: "and " };
      }
    } finally {
      isOver = true;
    }
  });
  const handle = await start(desk);
  await until(() => said > 3);
  desk.clock.advance(120_000);
  expect((await handle.wait()).status).toBe("failed");
  await until(() => isOver, "the end of the stream");
  expect(said).toBeLessThan(10_000);
});

test("a provider that asks for time is given it, within reason", async () => {
  const busy = (retryAfterMs: number) => new ProviderFailedError("busy", { details: { retryAfterMs } });
  for (const [asked, given] of [
    [7000, 7000],
    [10, 500],
    [Number.NaN, 500],
    [-7000, 500],
    [3_600_000, 120_000],
  ] as const) {
    let times = 0;
    const desk = openRunDesk({
      script: () => {
        if (times++ === 0) throw busy(asked);
        return "done";
      },
    });
    const handle = await desk.start();
    await until(() => desk.clock.waits.includes(given), `a pause of ${given}`);
    desk.clock.advance(given);
    expect((await handle.wait()).status).toBe("completed");
  }
});
