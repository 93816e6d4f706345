import type { ModelMessage } from "../src/model/model-adapter.ts";
import { messagesOfStep, notesAfter, openingMessages } from "../src/run/model/run-messages.ts";
import type { Run } from "../src/run/state/fold-run.ts";

/** What the model has seen and said so far, told at once. */
export function messagesOf(run: Run): ModelMessage[] {
  const steps = run.steps.flatMap((step, index) => [
    ...messagesOfStep(run, step),
    ...notesAfter(run, index + 1),
  ]);
  return [...openingMessages(run), ...notesAfter(run, 0), ...steps];
}
