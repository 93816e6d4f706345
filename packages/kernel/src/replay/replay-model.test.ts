import { readFile } from "node:fs/promises";
import { ReplayMissError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { collected, openDesk } from "../../test-data/call-desk.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import { openRunDesk, read, type RunDesk, saying, write } from "../../test-data/run-desk.ts";
import { exportTrace } from "../trace/export-trace.ts";
import { openReplay } from "./replay.ts";
import { openModelReplay } from "./replay-model.ts";

/** A run of three turns, and its calls in order. */
async function played(): Promise<{ desk: RunDesk; runId: string; calls: string[] }> {
  const desk = openRunDesk({ script: saying([read], [write("a")], "done") });
  const handle = await desk.start();
  await handle.wait();
  const calls = (await desk.records(handle.runId)).flatMap((one) =>
    one.kind === "call.read" || one.kind === "call.intended" ? one.callId : [],
  );
  return { desk, runId: handle.runId, calls };
}

/** What is said again, turn by turn, to whom is told what the model was told. */
async function saidAgain({ store, model }: RunDesk, runId: string): Promise<unknown[]> {
  const lines = await collected(exportTrace(store.inner, "acct_1", runId));
  return await saidBy(lines.map((line) => `${line}\n`).join(""), model);
}

async function saidBy(trace: string, model: RunDesk["model"]): Promise<unknown[]> {
  const again = await openModelReplay([trace]);
  return await Promise.all(
    model.asked.map(async (input) => {
      const { text, toolCalls } = await again.complete(input).catch((error: unknown) => {
        if (error instanceof ReplayMissError) return { text: "a miss", toolCalls: [] };
        throw error;
      });
      return [text, ...toolCalls.map(({ name }) => name)];
    }),
  );
}

test("R1: a replayed run asks nobody whether its starter is valid", async () => {
  const { desk, runId } = await played();
  const lines = await collected(exportTrace(desk.store.inner, "acct_1", runId));
  const trace = lines.map((line) => `${line}\n`).join("");
  let asked = 0;
  const again = openRunDesk({
    script: saying([read], [write("a")], "done"),
    replay: await openReplay([trace]),
    isStarterValid: () => ++asked < 0,
  });
  const handle = await again.start();
  expect((await handle.wait()).status).toBe("completed");
  expect([asked, again.deck.runs]).toStrictEqual([0, []]);
});

const turns = [["", "notes.read"], ["", "notes.write"], ["done"]];
const miss = ["a miss"];

test("whoever is told what the model was told is told what it said, each answer once", async () => {
  const { desk, runId } = await played();
  expect(await saidAgain(desk, runId)).toStrictEqual(turns);
  desk.model.asked.push(...desk.model.asked.slice(2));
  expect(await saidAgain(desk, runId)).toStrictEqual([...turns, miss]);
});

test("a trace from before what was told could be erased says the same again", async () => {
  const { desk } = await played();
  const trace = await readFile(new URL("../../test-data/run-before-told.jsonl", import.meta.url), "utf8");
  expect(await saidBy(trace, desk.model)).toStrictEqual(turns);
});

describe("after a call was erased", () => {
  test.each([
    ["first", 0, [miss, miss, miss]],
    ["second", 1, [turns[0], miss, miss]],
  ] as const)("what was said of the %s and after it is a miss", async (_, at, left) => {
    const { desk, runId, calls } = await played();
    const { seat } = openDesk({ life: 7, clock: desk.clock, store: new FaultyStore(desk.store.inner) });
    await seat.erase(calls[at] ?? "");
    await seat.close();
    expect(await saidAgain(desk, runId)).toStrictEqual(left);
  });
});
