// A trace while it is written: nothing is said too early (B15), twice or never, and put together it is the export.
import { describe, expect, test } from "vitest";
import { type Desk, firstTrace, installation, openDesk, traceOf } from "../../test-data/call-desk.ts";
import { gate, until } from "../../test-data/call-waiting.ts";
import type { EvaluatePostTool } from "../call/ask-policy.ts";
import type { TraceFollower } from "./follow-trace.ts";
import { readTrace } from "./read-trace.ts";
import { memoryTrace, type TraceStore } from "./trace-store.ts";

function follower({ seat }: Desk): TraceFollower {
  const following = seat.followTrace();
  if (following === undefined) throw new Error("there is nothing to follow");
  return following;
}

async function keep(
  into: TraceStore,
  { type, lines }: Awaited<ReturnType<TraceFollower["grow"]>>,
): Promise<void> {
  await (type === "whole" ? into.replace(lines) : into.append(lines));
}

const kindsIn = (lines: readonly string[]) =>
  lines.map((line) => {
    const { record, seal } = JSON.parse(line) as { record?: string; seal?: unknown };
    if (record === undefined) return seal === undefined ? "header" : "seal";
    return (JSON.parse(record) as { kind: string }).kind;
  });

test("there is nothing to follow before the first record", () => {
  expect(openDesk().seat.followTrace()).toBeUndefined();
});

test("each look gives what has come since, all of it where the first line has changed, and the seal at the end", async () => {
  const desk = openDesk();
  await desk.call({ tool: "notes.read" });
  const following = follower(desk);
  const looks: unknown[] = [];
  const trace = memoryTrace();
  const look = async (grown: ReturnType<TraceFollower["grow"]>) => {
    const growth = await grown;
    looks.push([growth.type, kindsIn(growth.lines)]);
    await keep(trace, growth);
  };
  await look(following.grow());
  await look(following.grow());
  await desk.call({ tool: "notes.read" });
  await look(following.grow());
  await desk.call({ tool: "notes.write" });
  await look(following.grow());
  await desk.seat.close();
  await look(following.end());
  expect(looks).toStrictEqual([
    ["whole", ["header", "segment.opened", "call.read"]],
    ["more", []],
    ["more", ["call.read"]],
    ["whole", ["header", "segment.opened", "call.read", "call.read", "call.intended", "call.settled"]],
    ["more", ["seal"]],
  ]);
  expect(await trace.text()).toBe(await traceOf(desk.seat));
  const read = await readTrace(await trace.text());
  expect([read.verification.status, read.seal?.signature?.keyId]).toStrictEqual([
    "ok",
    installation.signer.keyId,
  ]);
});

const held =
  (decide: Promise<{ outcome: "allow" | "deny" }>): EvaluatePostTool =>
  async ({ input }) =>
    (input as { text?: string }).text === "held" ? await decide : { outcome: "allow" };

describe("B15: an output about which nobody has decided yet", () => {
  test.each([
    ["allow", ["call.settled", "call.intended", "call.settled", "call.released", "call.released"]],
    ["deny", ["call.settled", "call.intended", "call.settled", "call.released", "call.withheld"]],
  ] as const)("holds back all that comes after it, until the answer is %s", async (outcome, after) => {
    const decision = gate();
    const decide = (async () => {
      await decision.promise;
      return { outcome };
    })();
    const desk = openDesk({ deed: () => ({ found: "mark" }), evaluatePostTool: held(decide) });
    const call = desk.call({ tool: "notes.write", input: { text: "held" } });
    await until(() => desk.store.units.length >= 3);
    const following = follower(desk);
    const trace = memoryTrace();
    await desk.call({ tool: "notes.write", input: { text: "free" } });
    const early = await following.grow();
    expect(kindsIn(early.lines)).toStrictEqual(["header", "segment.opened", "call.intended"]);
    await keep(trace, early);
    expect((await readTrace(await trace.text())).verification.status).toBe("open");
    decision.resolve();
    await call;
    const late = await following.grow();
    expect(kindsIn(late.lines)).toStrictEqual(after);
    await keep(trace, late);
    await desk.seat.close();
    await keep(trace, await following.end());
    expect(await trace.text()).toBe(await traceOf(desk.seat));
    expect((await trace.text()).split("mark").length - 1).toBe(outcome === "allow" ? 2 : 1);
  });
});

test("what is erased is gone from what was said before, too", async () => {
  const desk = openDesk({ deed: () => ({ found: "mark" }) });
  const first = await desk.call({ tool: "notes.write", input: { text: "erase me" } });
  const following = follower(desk);
  const trace = memoryTrace();
  await keep(trace, await following.grow());
  await desk.call({ tool: "notes.write", input: { text: "keep me" } });
  await keep(trace, await following.grow());
  expect(await trace.text()).toContain("erase me");
  await desk.seat.erase(first.type === "completed" ? first.result.callId : "");
  await keep(trace, await following.grow());
  const text = await trace.text();
  expect([text.includes("erase me"), text.includes("keep me")]).toStrictEqual([false, true]);
  expect((await readTrace(text)).verification).toMatchObject({ status: "open", erased: 2 });
  await desk.seat.close();
  await keep(trace, await following.end());
  expect(await trace.text()).toBe(await traceOf(desk.seat));
});

test("what could not be said because the store did not answer is said the next time", async () => {
  const desk = openDesk();
  await desk.call({ tool: "notes.read" });
  const following = follower(desk);
  const trace = memoryTrace();
  desk.store.documentsById = () => Promise.reject(new Error("not now"));
  await expect(following.grow()).rejects.toThrow("not now");
  Reflect.deleteProperty(desk.store, "documentsById");
  desk.store.beforeRead = () => Promise.reject(new Error("not now either"));
  await expect(following.grow()).rejects.toThrow("not now either");
  desk.store.beforeRead = async () => undefined;
  await keep(trace, await following.grow());
  await desk.seat.close();
  await keep(trace, await following.end());
  expect(await trace.text()).toBe(await traceOf(desk.seat));
});

test("a segment that could not be sealed has no seal in its trace either, and verifies as open", async () => {
  const desk = openDesk();
  await desk.call({ tool: "notes.read" });
  const following = follower(desk);
  const trace = memoryTrace();
  await keep(trace, await following.grow());
  await keep(trace, await following.end());
  expect((await readTrace(await trace.text())).verification.status).toBe("open");
  expect(await trace.text()).toBe(await firstTrace(desk.store.inner));
});

test("B22: a record that is not what was written is not passed on", async () => {
  const desk = openDesk();
  await desk.call({ tool: "notes.read" });
  desk.store.tamper = (rows) => rows.map((row) => ({ ...row, text: row.text.slice(1) }));
  await expect(follower(desk).grow()).rejects.toMatchObject({ code: "journal_corrupt", details: { seq: 1 } });
});
