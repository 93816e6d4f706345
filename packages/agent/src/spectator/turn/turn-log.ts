// A turn as lines for people, told from what is on record: nothing is replayed from them.
import { type JsonObject, readCanonicalJson, type TurnEvent } from "@spfunctions/contracts";
import type { Run } from "@spfunctions/kernel";
import type { FoldedTurn, TurnAnswer } from "./fold-turn.ts";

/** Where the logs of turns go: one text a turn, a JSON object a line. */
export interface TurnLog {
  write(sessionId: string, name: string, text: string): Promise<void>;
  /** Without it, the log of a turn whose call was erased is written again, empty. */
  remove?(sessionId: string, name: string): Promise<void>;
}

export function turnEvents(run: Run, { start, answers }: FoldedTurn): TurnEvent[] {
  const { opening, attempt } = run;
  const begun = secondsOf(opening.ts);
  const retrieval = start.shown.length === 0 ? [] : [event(begun, "retrieval", { shown: [...start.shown] })];
  const model = attempt?.model ?? "none";
  return [...retrieval, ...answers.flatMap((answer, index) => eventsOf(answer, index + 1, model))];
}

export function event(ts: number, kind: TurnEvent["kind"], data: JsonObject): TurnEvent {
  return { ts, kind, data };
}

function secondsOf(time: string): number {
  return Date.parse(time) / 1000;
}

/** In the order in which they have happened: what was noted before what was done, and that before what was called. */
function eventsOf(
  { step, said, notes, actions, problems }: TurnAnswer,
  number: number,
  model: string,
): TurnEvent[] {
  const [asked, answered] = [secondsOf(step.startedAt), secondsOf(step.endedAt)];
  const calls = step.calls.map(({ id, name, args }) => ({ id, tool: name, args }));
  const events = [
    event(asked, "llm_req", { step: number, model }),
    event(answered, "llm_stream", { step: number, chars: step.text.length }),
    event(answered, "llm_done", {
      step: number,
      text: said.visible,
      ...(problems.length > 0 && { problems: [...problems] }),
    }),
  ];
  if (said.notes?.type === "malformed")
    events.push(event(answered, "notes_patch", { step: number, error: said.notes.why }));
  if (said.notes?.type === "patch" && notes !== undefined)
    events.push(
      event(answered, "notes_patch", {
        step: number,
        changes: [...notes.changes],
        refused: [...notes.refused],
        ignored: [...said.notes.ignored],
      }),
    );
  if (actions !== undefined) {
    if (actions.wanted.length > 0)
      events.push(
        event(answered, "actions", { step: number, actions: actions.wanted.map((one) => ({ ...one })) }),
      );
    for (const { action, reason } of actions.refused)
      events.push(event(answered, "action_refused", { step: number, action, reason }));
  }
  if (calls.length > 0) events.push(event(answered, "tool_plan", { step: number, calls }));
  return [...events, ...step.results.flatMap((result) => toolEvents(result, step.calls))];
}

function toolEvents(
  { callId, startedAt, endedAt, isError, text }: Run["steps"][number]["results"][number],
  calls: Run["steps"][number]["calls"],
): TurnEvent[] {
  const { id = callId, name = "" } = calls.find((one) => one.callId === callId) ?? {};
  const names = { id, tool: name, callId };
  return [
    event(secondsOf(startedAt), "tool_start", names),
    event(secondsOf(endedAt), "tool_done", {
      ...names,
      ok: isError !== true,
      chars: text.length,
      ...(isError === true && { error: (readCanonicalJson(text) as JsonObject)["error"] ?? null }),
    }),
  ];
}

export function logText(events: readonly TurnEvent[]): string {
  return events.map((one) => `${JSON.stringify(one)}\n`).join("");
}
