// What a turn has come to, by its run alone: the same records make the same state, live, after a crash and in every process.
import {
  type AgentState,
  type ChatMessage,
  type Checkpoint,
  cutPlaceholders,
  readCanonicalJson,
} from "@spfunctions/contracts";
import type { CallResult, Run, RunStep } from "@spfunctions/kernel";
import type { AnswerLimits } from "../protocol/answer-limits.ts";
import { readSaid, type Said } from "../protocol/read-answer.ts";
import { toolResultText } from "../protocol/rendered-tool-result.ts";
import { type AppliedNotes, applyNotes, type NotesTerms } from "../state/apply-notes.ts";
import { type ReadActions, readActions } from "../state/read-actions.ts";
import { keptStartOf, type TurnStart } from "./turn-start.ts";

export type TurnTerms = NotesTerms & {
  readonly answers: AnswerLimits;
  /** Of a tool's result in UTF-8: as the model is shown it, and as it is kept for later turns. */
  readonly toolResultBytes: number;
  readonly keptResultBytes: number;
};

/** One answer of the model. */
export type TurnAnswer = {
  readonly step: RunStep;
  readonly said: Said;
  readonly notes?: AppliedNotes;
  readonly actions?: ReadActions;
  /** What of it could not be read, as the model is told. */
  readonly problems: readonly string[];
};

export type FoldedTurn = {
  readonly start: Pick<TurnStart, "text" | "memory" | "shown">;
  readonly answers: readonly TurnAnswer[];
  /** As the answers have left it. */
  readonly state: AgentState;
};

const erased = { text: "(erased)", memory: "", shown: [] };

export function foldTurn(run: Run, base: Checkpoint, terms: TurnTerms): FoldedTurn {
  let { state } = base;
  const answers = run.steps.map((step) => {
    const answer = readAnswer(step, state, terms);
    state = answer.notes?.state ?? state;
    return answer;
  });
  return { start: keptStartOf(run) ?? erased, answers, state };
}

function readAnswer(step: RunStep, state: AgentState, terms: TurnTerms): TurnAnswer {
  const said = readSaid(step.text, terms.answers);
  const { notes, calls } = said;
  const heard = hasCalledWithSecrets(step) ? { notes } : { notes, calls };
  const problems = [...problemsIn(heard), ...clashIn(step, said)];
  if (notes?.type !== "patch") return { step, said, problems };
  const { actions, ...patch } = notes.patch;
  return {
    step,
    said,
    problems,
    notes: applyNotes(state, patch, terms),
    ...(actions && { actions: readActions(actions) }),
  };
}

type Heard = { readonly [Kind in "notes" | "calls"]?: Said[Kind] | undefined };

/** A block that cannot be read is told to the model, and nothing of it counts. */
function problemsIn({ notes, calls }: Heard): string[] {
  return [
    ...(notes?.type === "malformed"
      ? [`your NOTES block could not be read: ${notes.why}; nothing of it was noted`]
      : []),
    ...(notes?.type === "patch" ? notes.wrong : []).map(
      ({ key, why }) => `${key} in your NOTES block could not be read: ${why}; it changed nothing`,
    ),
    ...(calls?.type === "malformed"
      ? [`your TOOL_CALLS block could not be read: ${calls.why}; none of its calls was made`]
      : []),
  ];
}

/** S1: a block that was read whole may be none any more without its secrets; that its calls were not made would be wrong. */
function hasCalledWithSecrets({ calls, text }: RunStep): boolean {
  return calls.length > 0 && cutPlaceholders(text) !== text;
}

/** An id that a call has which the model makes by itself is no other's. */
function clashIn({ calls }: RunStep, said: Said): string[] {
  const inText = said.calls?.type === "calls" ? said.calls.calls : [];
  const isMade = ({ id, tool }: (typeof inText)[number]) =>
    calls.some((call) => call.id === id && call.name === tool);
  if (inText.every(isMade)) return [];
  return ["your TOOL_CALLS block has an id that another of your calls has; none of its calls was made"];
}

/** Why an answer is no last word: the model is told, and asked once more. */
export function wrongWith(text: string, limits: AnswerLimits): string | undefined {
  const problems = problemsIn(readSaid(text, limits));
  return problems.length === 0 ? undefined : problems.join("; ");
}

/** What its calls came to, as the model is told: in the order in which it has made them. */
export function resultsOf({ calls, results }: RunStep, mostBytes: number): { id: string; text: string }[] {
  return calls.flatMap(({ id, name, callId }) => {
    const result = results.find((one) => one.callId === callId);
    return result === undefined ? [] : [{ id, text: resultText(id, name, result, mostBytes) }];
  });
}

function resultText(id: string, tool: string, { text, isError }: CallResult, mostBytes: number): string {
  const said = readCanonicalJson(text);
  if (isError !== true) return toolResultText({ id, tool, ok: true, output: said, error: null }, mostBytes);
  const { error } = said as { error: { code: string; message: string } };
  return toolResultText({ id, tool, ok: false, output: null, error }, mostBytes);
}

/** What later turns are shown of this one. */
export function messagesOf({ start, answers }: FoldedTurn, { keptResultBytes }: TurnTerms): ChatMessage[] {
  const said = answers.flatMap(({ step, said: { visible } }): ChatMessage[] => {
    const called = step.calls.map(({ name }) => name).join(", ");
    const content = visible !== "" || called === "" ? visible : `(called ${called})`;
    const results = resultsOf(step, keptResultBytes);
    return [
      ...(content === "" ? [] : [{ role: "assistant", content } as const]),
      ...results.map(({ text }) => ({ role: "tool", content: text }) as const),
    ];
  });
  return [{ role: "user", content: start.text }, ...said];
}
