// A case is played until its runs have come to their ends. Time is moved by hand: whatever waits has its turn, and what never ends is a
// hang.
import { inspect } from "node:util";
import type { RuntimeEvent, RuntimeRunResult } from "@spfunctions/contracts";
import type { RunStream } from "../../src/v1/simple-functions-runtime.ts";
import type { Case } from "./case.ts";
import { Stage } from "./stage.ts";

/** What one run has come to. */
export type PlayedRun = {
  readonly result?: RuntimeRunResult;
  readonly fault?: unknown;
  readonly isHung: boolean;
  /** What somebody has seen who watched it to its end. */
  readonly events?: readonly RuntimeEvent[];
};

/** Everything that came of a case. */
export type Played = Stage & {
  readonly runs: readonly PlayedRun[];
  readonly isClosed: boolean;
  readonly hasActedSince: boolean;
};

const mostRounds = 4000;

export async function play(given: Case): Promise<Played> {
  const stage = new Stage(given);
  const runs: PlayedRun[] = [];
  for (let count = 0; count < given.runs; count++) {
    runs.push(await playRun(given, stage));
  }
  const acted = stage.executions.length;
  const isClosed = await stage.close();
  for (const { fault } of runs)
    if (fault !== undefined) stage.seen.push(inspect(fault), JSON.stringify(fault));
  return Object.assign(stage, { runs, isClosed, hasActedSince: stage.executions.length > acted });
}

async function playRun({ law, watched, until, stopAfter }: Case, stage: Stage): Promise<PlayedRun> {
  const { runtime } = stage;
  const stopping = new AbortController();
  const { signal } = stopping;
  const input = { objective: "write notes about orders in the world", ...law.run, signal };
  const stream = watched === "no" ? undefined : runtime.runStream(input, { until });
  const watching = stream && watch(stream, watched, stage);
  let running = settled(stream?.result ?? runtime.run(input, { until }));
  for (let round = 0; round < mostRounds && !hasEnded(running); round++) {
    await stage.round();
    if (round >= (stopAfter ?? mostRounds)) stopping.abort();
    if (running.value === undefined || !isAtRest(running.value)) continue;
    stage.saw(running.value);
    running = settled(runtime.resume(running.value.runId, { until: "end", signal }));
  }
  if (!hasEnded(running)) return { isHung: true };
  const events = await watching;
  const { value: result, fault } = running;
  stage.saw(result ?? null);
  return {
    isHung: false,
    fault,
    ...(result && { result }),
    ...(until === "end" && watched === "whole" && fault === undefined && { events: events ?? [] }),
  };
}

async function watch(stream: RunStream, how: Case["watched"], { saw }: Stage): Promise<RuntimeEvent[]> {
  const events: RuntimeEvent[] = [];
  if (how === "unread") return events;
  try {
    for await (const event of stream) {
      saw(event);
      events.push(event);
      if (how === "left" && events.length === 4) break;
    }
  } catch {
    // It is told of by its result, too.
  }
  return events;
}

function hasEnded({ isOver, value }: Running): boolean {
  return isOver && (value === undefined || !isAtRest(value));
}

function isAtRest({ status }: RuntimeRunResult): boolean {
  return status === "requires_approval" || status === "recovery_needed";
}

type Running = { isOver: boolean; value?: RuntimeRunResult; fault?: unknown };

function settled(promise: Promise<RuntimeRunResult>): Running {
  const running: Running = { isOver: false };
  promise.then(
    (value) => Object.assign(running, { isOver: true, value }),
    (fault: unknown) => Object.assign(running, { isOver: true, fault }),
  );
  return running;
}
