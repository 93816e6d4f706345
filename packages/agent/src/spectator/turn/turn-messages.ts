// What the model of a turn is shown. Only its own words in this turn are shown as it said them: in everything else, what reads as a block is
// made harmless first.
import type { ChatMessage, Checkpoint } from "@spfunctions/contracts";
import type { ModelMessage, Run } from "@spfunctions/kernel";
import { neutralise } from "../protocol/markers.ts";
import { foldTurn, resultsOf, type TurnAnswer, type TurnTerms } from "./fold-turn.ts";
import { importedNotes, systemPrompt } from "./system-prompt.ts";

export type ShownTerms = TurnTerms & { readonly instructions?: string | undefined };

export function turnMessages(
  run: Run,
  base: Checkpoint,
  isImported: boolean,
  terms: ShownTerms,
): ModelMessage[] {
  const { start, answers, state } = foldTurn(run, base, terms);
  const { instructions, operatorConstraints } = terms;
  const { memory } = start;
  const notes = isImported ? importedNotes({ state, operatorConstraints }) : undefined;
  return [
    { role: "system", text: systemPrompt({ instructions, operatorConstraints, state, isImported, memory }) },
    ...(notes === undefined ? [] : [{ role: "user", text: notes } as const]),
    ...base.recentMessages.map(earlier),
    { role: "user", text: neutralise(start.text) },
    ...answers.flatMap((answer) => messagesOfAnswer(answer, terms)),
  ];
}

function earlier({ role, content }: ChatMessage, index: number): ModelMessage {
  const text = neutralise(content);
  if (role === "tool") return { role, toolCallId: `earlier-${index}`, text };
  // Nothing that was said before speaks as the system.
  return { role: role === "assistant" ? role : "user", text: text === "" ? "(nothing)" : text };
}

function messagesOfAnswer({ step, problems }: TurnAnswer, { toolResultBytes }: TurnTerms): ModelMessage[] {
  const toolCalls = step.calls.map(({ id, name, args }) => ({ id, name, args }));
  return [
    { role: "assistant", text: step.text, ...(toolCalls.length > 0 && { toolCalls }) },
    ...resultsOf(step, toolResultBytes).map(
      ({ id, text }) => ({ role: "tool", toolCallId: id, text }) as const,
    ),
    ...problems.map((problem) => ({ role: "user", text: `(Not from the user:) ${problem}.` }) as const),
  ];
}
