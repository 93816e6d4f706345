// A run's trace is written as far as the run has come, whenever it rests or ends. What cannot be written takes nothing away from a result.
import { openFileTrace } from "@spfunctions/host/store";
import { memoryTrace, readTrace, type TraceStore } from "@spfunctions/kernel";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { dataFolder } from "../../../host/test/data-folder.ts";
import { until } from "../../../kernel/test-data/call-waiting.ts";
import { read, write } from "../../../kernel/test-data/run-desk.ts";
import {
  anotherRuntime,
  asking,
  runtimeDesk,
  type RuntimeDeskOptions,
} from "../../test-data/runtime-desk.ts";

const waiting: RuntimeDeskOptions = { policy: asking, says: [[write("a")], "done"] };

async function lookAt(text: string) {
  const { verification, entries, runs } = await readTrace(text).then((trace) => ({
    verification: trace.verification,
    entries: [...trace.calls.values()].map(({ opening, status }) => `${opening.tool} ${status}`),
    runs: new Set([...trace.calls.values()].map(({ opening }) => opening.runId)),
  }));
  return { status: verification.status, entries, runs: [...runs] };
}

// proves RUN-4.11, RUN-5.5, RUN-14.6
test("it is there at the end, sealed, with every call and what its model said", async () => {
  const trace = memoryTrace();
  const { runtime } = runtimeDesk({ trace, says: [[read, write("a")], "done"] });
  const { runId } = await runtime.run({ objective: "write" });
  const text = await trace.text();
  expect(await lookAt(text)).toStrictEqual({
    status: "ok",
    entries: ["notes.read completed", "notes.write completed"],
    runs: [runId],
  });
  const kinds = text.split("\n").flatMap((line) => /\\?"kind\\?":\\?"(model\.[a-z]+)/.exec(line)?.[1] ?? []);
  expect(kinds).toStrictEqual(["model.intended", "model.settled", "model.intended", "model.settled"]);
});

test("while a run waits it is there as far as that has come, and grows to the end", async () => {
  const trace = memoryTrace();
  const { runtime, operator } = runtimeDesk({ ...waiting, trace });
  const { runId, approvals } = await runtime.run({ objective: "write" });
  const before = await trace.text();
  expect(await lookAt(before)).toMatchObject({ status: "open", entries: ["notes.write waiting"] });
  await operator.approve(approvals[0]?.approvalId ?? "");
  await runtime.resume(runId);
  const after = await trace.text();
  expect(await lookAt(after)).toMatchObject({ status: "ok", entries: ["notes.write completed"] });
  expect(after.startsWith(before)).toBe(true);
});

test("of a run that went on by itself the rest is written when it has ended, and its place is let go of", async () => {
  const trace = memoryTrace();
  const ended: string[] = [];
  const traces = (runId: string): TraceStore => ({ ...trace, end: async () => void ended.push(runId) });
  const { runtime, operator } = runtimeDesk({ ...waiting, traces });
  const { approvals, runId } = await runtime.run({ objective: "write" });
  // Looked at once more meanwhile, as by whoever has it on a screen.
  await runtime.resume(runId);
  await operator.approve(approvals[0]?.approvalId ?? "");
  await until(() => ended.length > 0);
  expect(await lookAt(await trace.text())).toMatchObject({
    status: "ok",
    entries: ["notes.write completed"],
  });
  await runtime.close();
  expect(ended).toStrictEqual([runId]);
});

test("one place has the trace of one run, whole, whichever was written last", async () => {
  const trace = memoryTrace();
  const script: RuntimeDeskOptions["script"] = ({ messages }) =>
    messages.length > 1 ? "done" : messages[0]?.text === "write" ? [write("a")] : [read];
  const { runtime, operator } = runtimeDesk({ policy: asking, script, trace });
  const rest = await runtime.run({ objective: "write" });
  const [one, two] = await Promise.all([
    runtime.run({ objective: "look" }),
    runtime.run({ objective: "look" }),
  ]);
  const { status, runs } = await lookAt(await trace.text());
  expect([status, [one.runId, two.runId].some((runId) => runId === runs[0])]).toStrictEqual(["ok", true]);
  await operator.approve(rest.approvals[0]?.approvalId ?? "");
  await runtime.resume(rest.runId);
  expect(await lookAt(await trace.text())).toMatchObject({ status: "ok", runs: [rest.runId] });
  await runtime.close();
  expect(await lookAt(await trace.text())).toMatchObject({ status: "ok", runs: [rest.runId] });
});

describe("a place for each run", () => {
  test("is asked for once, and let go of when the run has ended or the runtime closes", async () => {
    const folder = dataFolder();
    const places: string[] = [];
    const ended: string[] = [];
    const traces = async (runId: string): Promise<TraceStore> => {
      places.push(runId);
      const trace = await openFileTrace(join(folder, `${runId}.jsonl`));
      return { ...trace, end: async () => void (await trace.end(), ended.push(runId)) };
    };
    const { runtime, operator } = runtimeDesk({ ...waiting, traces });
    const first = await runtime.run({ objective: "write" });
    expect([places, ended]).toStrictEqual([[first.runId], []]);
    await operator.approve(first.approvals[0]?.approvalId ?? "");
    await runtime.resume(first.runId);
    expect(ended).toStrictEqual([first.runId]);
    // It is over and written: looking at it again writes nothing.
    await runtime.resume(first.runId);
    const second = await runtime.run({ objective: "write" });
    await runtime.close();
    expect([places, ended]).toStrictEqual([
      [first.runId, second.runId],
      [first.runId, second.runId],
    ]);
    const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
    const seen = await Promise.all(texts.map(lookAt));
    expect(seen.map(({ status }) => status).toSorted()).toStrictEqual(["ok", "open"]);
  });

  test("a run that had ended elsewhere needs none", async () => {
    const first = runtimeDesk({ says: ["done"] });
    const { runId } = await first.runtime.run({ objective: "look" });
    const next = anotherRuntime(first, { traces: () => Promise.reject(new Error("asked")) });
    expect(await next.runtime.resume(runId)).toMatchObject({ status: "completed" });
    await next.runtime.close();
  });
});

describe("a trace that cannot be written", () => {
  const broken: TraceStore = {
    ...memoryTrace(),
    replace: () => Promise.reject(new Error("the disk is full")),
  };

  test.each<[string, RuntimeDeskOptions]>([
    ["in the one place", { trace: broken }],
    ["in a place of its own", { traces: () => broken }],
    ["because there is no place", { traces: () => Promise.reject(new Error("the disk is full")) }],
  ])(
    "%s takes nothing from the result; the next run does not begin, and close says why",
    async (_where, options) => {
      const { runtime, deck, model } = runtimeDesk({ says: [[read], "done"], ...options });
      const result = await runtime.run({ objective: "look" });
      expect(result).toMatchObject({ status: "completed", output: "done" });
      await expect(runtime.run({ objective: "look" })).rejects.toThrow("the disk is full");
      expect([deck.runs.length, model.asked.length]).toStrictEqual([1, 2]);
      expect(await runtime.resume(result.runId)).toStrictEqual(result);
      await expect(runtime.close()).rejects.toThrow("the disk is full");
    },
  );

  test("of a run that waits: it goes on all the same, and its runtime closes", async () => {
    const { runtime, operator } = runtimeDesk({ ...waiting, trace: broken });
    const { runId, approvals } = await runtime.run({ objective: "write" });
    await operator.approve(approvals[0]?.approvalId ?? "");
    expect(await runtime.resume(runId)).toMatchObject({ status: "completed" });
    expect(await rejectionOf(runtime.close())).toMatchObject({ details: { reason: "trace_not_written" } });
  });
});
