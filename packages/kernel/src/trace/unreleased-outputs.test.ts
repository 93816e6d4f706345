// B15: what a host's policy holds back is given to nobody, and a trace is given to anybody.
import type { TraceLine } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import {
  collected,
  type Desk,
  firstTrace,
  installation,
  keptText,
  openDesk,
  reopenDesk,
  traceOf,
} from "../../test-data/call-desk.ts";
import { atFirst } from "../../test-data/call-store.ts";
import type { EvaluatePostTool } from "../call/ask-policy.ts";
import { problemsOf, segmentsOf, verifyAccount } from "../journal/verify-account.ts";
import { openReplay } from "../replay/replay.ts";
import { exportTrace } from "./export-trace.ts";
import { readTrace } from "./read-trace.ts";
import { traceEntries } from "./trace-entries.ts";

const mark = "the-output-nobody-may-see";
const deed = () => ({ found: mark });
const allows: EvaluatePostTool = () => ({ outcome: "allow" });
const denies: EvaluatePostTool = () => ({ outcome: "deny", reason: "it is private" });

/** An effect, a paid read and a read: each in its own way holds an output. */
const tools = ["notes.write", "notes.search", "notes.read"];
const callOf = (tool: string) => ({ tool, input: { text: "asked" } });

/** The content rows of a trace's lines, each with its record's kind. */
function rowsIn(trace: string): (readonly [kind: string, rows: TraceLine["content"]])[] {
  return trace
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      const { record, content } = JSON.parse(line) as Partial<TraceLine>;
      if (record === undefined || content === undefined) return [];
      return [[(JSON.parse(record) as { kind: string }).kind, content] as const];
    });
}

/** What the recorded call answers in a replay of a trace. */
async function replayed(trace: string, tool: string): Promise<readonly [unknown, Desk]> {
  const replay = await openReplay([trace]);
  const desk = openDesk({ replay, life: 9 });
  return [await desk.call(callOf(tool)), desk];
}

describe.each(tools)("B15: an output of %s", (tool) => {
  test("that was withheld is marked as erased in a trace, which verifies and replays", async () => {
    const desk = openDesk({ deed, evaluatePostTool: denies });
    await desk.call(callOf(tool));
    await desk.seat.close();
    const trace = await traceOf(desk.seat);
    expect(trace).not.toContain(mark);
    expect(trace).toContain("asked");
    expect(rowsIn(trace).flatMap(([, rows]) => rows?.filter((row) => "erased" in row) ?? [])).toStrictEqual([
      { erased: true, ref: expect.stringMatching(/-output$/) },
    ]);
    const read = await readTrace(trace);
    expect(read.verification).toMatchObject({ status: "ok", erased: 0, withheld: 1, absent: 0 });
    expect(read.seal?.signature?.keyId).toBe(installation.signer.keyId);
    expect(traceEntries(read)).toMatchObject([
      { tool, output: null, erased: ["output"], error: { code: "policy_denied" } },
    ]);
    const [answer, replay] = await replayed(trace, tool);
    expect(answer).toMatchObject({ type: "failed", error: { code: "policy_denied" } });
    expect(JSON.stringify([answer, replay.events, await keptText(replay.store.inner)])).not.toContain(mark);
    expect(replay.deck.runs).toStrictEqual([]);
  });

  test("that is still held is not in a trace of that moment, and is once it was released", async () => {
    let early = "";
    const desk: Desk = openDesk({
      deed,
      evaluatePostTool: async () => {
        early = await traceOf(desk.seat);
        return { outcome: "allow" };
      },
    });
    await desk.call(callOf(tool));
    expect(early).not.toContain(mark);
    const read = await readTrace(early);
    expect(read.verification).toMatchObject({ status: "open", erased: 0, withheld: 1, absent: 0 });
    expect(traceEntries(read)).toMatchObject([{ tool, output: null, erased: ["output"] }]);
    const [answer] = await replayed(early, tool);
    expect(answer).toMatchObject({ type: "failed", error: { code: "recovery_needed" } });

    await desk.seat.close();
    const late = await traceOf(desk.seat);
    expect(late).toContain(mark);
    expect((await readTrace(late)).verification).toMatchObject({ status: "ok", withheld: 0, absent: 0 });
    const [given] = await replayed(late, tool);
    expect(given).toMatchObject({ type: "completed", result: { output: { found: mark }, replayed: true } });
  });

  test("that a dead process has left held is in no trace of what it left, nor of what becomes of it", async () => {
    const desk = openDesk({ deed, evaluatePostTool: allows });
    desk.store.fault = atFirst("call.released", { type: "die", written: false });
    void desk.call(callOf(tool));
    await desk.store.died.promise;
    expect(await firstTrace(desk.store.inner)).not.toContain(mark);
    const next = reopenDesk(desk, { evaluatePostTool: denies });
    await next.seat.open();
    const trace = await firstTrace(next.store.inner);
    expect(trace).not.toContain(mark);
    expect((await readTrace(trace)).verification).toMatchObject({
      status: "ok",
      erased: 0,
      withheld: 1,
      absent: 0,
    });
    expect(await verifyAccount(next.store, "acct_1")).toMatchObject({ status: "ok" });
  });

  test("that no policy was asked about is in a trace like anything else", async () => {
    const desk = openDesk({ deed });
    await desk.call(callOf(tool));
    expect(await traceOf(desk.seat)).toContain(mark);
  });

  test("that was withheld stays in its own journal, which is whole", async () => {
    const desk = openDesk({ deed, evaluatePostTool: denies });
    await desk.call(callOf(tool));
    await desk.seat.close();
    expect(await keptText(desk.store.inner)).toContain(mark);
    expect(await verifyAccount(desk.store, "acct_1")).toMatchObject({ status: "ok" });
  });
});

test("the journal of a replay is whole, also of a trace in which an output is marked as erased", async () => {
  const desk = openDesk({ deed, evaluatePostTool: denies });
  await desk.call(callOf("notes.write"));
  await desk.seat.close();
  const [, replay] = await replayed(await traceOf(desk.seat), "notes.write");
  expect(problemsOf(await replay.seat.verify())).toStrictEqual([]);
});

test("each output is held or released on its own", async () => {
  const desk = openDesk({
    deed: (input) => ({ said: input }),
    evaluatePostTool: ({ input }) => ({
      outcome: (input as { text: string }).text.startsWith("free") ? "allow" : "deny",
    }),
  });
  for (const text of ["free 1", "held 1", "free 2", "held 2"]) {
    await desk.call({ tool: "notes.write", input: { text } });
  }
  await desk.seat.close();
  const [stream = ""] = await collected(segmentsOf(desk.store.inner, "acct_1"));
  const lines = await collected(exportTrace(desk.store.inner, "acct_1", stream));
  const said = rowsIn(lines.join("\n")).flatMap(([kind, rows]) =>
    kind === "call.settled" ? (rows ?? []).map((row) => ("text" in row ? row.text : "erased")) : [],
  );
  expect(said).toStrictEqual([
    '{"said":{"text":"free 1"}}',
    "erased",
    '{"said":{"text":"free 2"}}',
    "erased",
  ]);
});
