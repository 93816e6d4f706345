// Runs of as many steps as a test plans, whose model knows by its last step alone where it is: also where it is shown nothing before.
import type { ModelMessage } from "../src/model/model-adapter.ts";
import type { RunsOptions } from "../src/run/open-run-host.ts";
import type { RunDesk, RunDeskOptions, Script } from "./run-desk.ts";
import { levelOf, generous } from "./run-desk.ts";

/** A call, and what its tool answers; one that fails has no answer. */
type PlannedCall = { readonly tool: string; readonly answer?: unknown };
/** What a model says beside its calls, and what it calls. */
export type PlannedStep = { readonly text?: string; readonly calls: readonly PlannedCall[] };

/** Desk options under which a run takes these steps, and then says that it is done. `of` tells the runs of one session apart. */
export function planned(steps: readonly PlannedStep[], of = "t"): Pick<RunDeskOptions, "script" | "deed"> {
  const usage = { inputTokens: 1, outputTokens: 1 };
  const nameOf = (step: number, index: number) => `${of}${step}.${index}`;
  const script: Script = ({ messages }) => {
    const step = stepIn(messages, of) + 1;
    const next = steps[step];
    if (next === undefined) return "done";
    const toolCalls = next.calls.map(({ tool }, index) => ({
      id: nameOf(step, index),
      name: tool,
      args: { text: nameOf(step, index) },
    }));
    return { raw: { text: next.text ?? "", toolCalls, finish: "tool_calls", usage } };
  };
  const answers = new Map(
    steps.flatMap(({ calls }, step) => calls.map((call, index) => [nameOf(step, index), call] as const)),
  );
  const deed = (input: unknown) => {
    const call = answers.get((input as { text: string }).text);
    if (call === undefined || !("answer" in call)) throw new Error("the venue is closed");
    return call.answer;
  };
  return { script, deed };
}

/** Which step was the last, counted from 0; -1 before the first. */
function stepIn(messages: readonly ModelMessage[], of: string): number {
  const ids = messages.flatMap((one) => (one.role === "assistant" ? (one.toolCalls?.[0]?.id ?? []) : []));
  const last = ids.findLast((id) => id.startsWith(of));
  return last === undefined ? -1 : Number.parseInt(last.slice(of.length), 10);
}

/** A policy under which what a model is shown is limited, and there are sessions. */
export const sessions = (
  terms: { readonly maxHistoryTokens?: number; readonly persist?: boolean; readonly ttlMs?: number } = {},
): RunsOptions["levels"] =>
  levelOf({ ...generous, session: { persist: true, ttlMs: 3_600_000, maxHistoryTokens: 100_000, ...terms } });

/** Every call that is shown with exactly its answers directly behind it, and no answer without its call. */
export function unpaired(messages: readonly ModelMessage[]): string[] {
  const problems: string[] = [];
  let open: string[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      if (!open.includes(message.toolCallId)) problems.push(`${at}: an answer to nothing`);
      open = open.filter((id) => id !== message.toolCallId);
      continue;
    }
    if (open.length > 0) problems.push(`${at}: calls without an answer: ${open.join(" ")}`);
    open = message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : [];
  }
  return open.length > 0 ? [...problems, `the end: calls without an answer: ${open.join(" ")}`] : problems;
}

/** What the model was shown each time it was asked. */
export function shownTo({ model }: Pick<RunDesk, "model">): (readonly ModelMessage[])[] {
  return model.asked.map(({ messages }) => messages);
}
