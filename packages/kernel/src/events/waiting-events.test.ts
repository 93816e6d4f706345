import type { AgentEvent } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { mostLiveWaiting, WaitingEvents } from "./waiting-events.ts";

const names = { runId: "run_00000000", ts: "2026-01-02T03:04:05Z" };
const kept = (seq: number) => ({ type: "run.completed", ...names, seq, index: 0 }) as AgentEvent;
const live = (message: string) => ({ type: "tool.progress", ...names, live: true, message }) as AgentEvent;

async function all(waiting: WaitingEvents): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for (let next = await waiting.next(); next !== undefined; next = await waiting.next()) events.push(next);
  return events;
}

test("of what is live the oldest are dropped where nobody reads; what is journaled stays, in its place", async () => {
  const waiting = new WaitingEvents();
  const more = Array.from({ length: mostLiveWaiting }, (_, at) => live(`later ${at}`));
  for (const event of [kept(1), live("a"), kept(2), live("b"), kept(3), ...more]) waiting.push(event);
  waiting.end();
  expect(await all(waiting)).toStrictEqual([kept(1), kept(2), kept(3), ...more]);
});

test("what was taken makes room", async () => {
  const waiting = new WaitingEvents();
  const events = Array.from({ length: mostLiveWaiting }, (_, at) => live(`step ${at}`));
  for (const event of events) waiting.push(event);
  expect(await waiting.next()).toStrictEqual(events[0]);
  waiting.push(live("last"));
  waiting.end();
  expect(await all(waiting)).toStrictEqual([...events.slice(1), live("last")]);
});

test("journaled events alone are never dropped", async () => {
  const waiting = new WaitingEvents();
  const events = Array.from({ length: mostLiveWaiting + 10 }, (_, seq) => kept(seq));
  for (const event of events) waiting.push(event);
  waiting.end();
  expect(await all(waiting)).toStrictEqual(events);
});
