import type { RunId } from "@spfunctions/contracts";
import type { ModelMessage } from "../../model/model-adapter.ts";
import type { Store } from "../../store/store.ts";
import type { Run } from "../state/fold-run.ts";
import type { ListedRun } from "../journal/listed-run.ts";
import { readRun } from "../journal/read-run.ts";
import { messagesOfStep, notesAfter, openingMessages } from "./run-messages.ts";
import type { RunStep } from "../state/run-step.ts";

export type HistoryTerms = {
  readonly store: Store;
  readonly accountId: string;
  /** Runs from before are read until there is this much. */
  readonly mostBytes: number;
  /** B22: throws where somebody else wrote it. */
  readonly requireProven: (run: ListedRun & { readonly run: Run }) => void;
};

/** What was said in the runs of a session up to this one, oldest first. */
export async function sessionHistory(last: RunId, terms: HistoryTerms): Promise<ModelMessage[]> {
  const { store, accountId, mostBytes, requireProven } = terms;
  const turns: ModelMessage[][] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (let runId: RunId | undefined = last; runId !== undefined; ) {
    if (seen.has(runId)) break;
    seen.add(runId);
    if (bytes >= mostBytes) {
      turns.push([
        { role: "user", text: "(what was said earlier in this session is on record, and not shown)" },
      ]);
      break;
    }
    // oxlint-disable-next-line no-await-in-loop -- each says which was before it
    const read = await readRun(store, accountId, runId);
    requireProven(read);
    const messages = messagesIn(read.run);
    bytes += Buffer.byteLength(JSON.stringify(messages));
    turns.push(messages);
    runId = read.run.opening.previous;
  }
  return turns.toReversed().flat();
}

/** Without instructions, which are each run's own. What has no answer is told so: no call stands without one. */
function messagesIn(run: Run): ModelMessage[] {
  const asked = openingMessages(run).filter(({ role }) => role !== "system");
  const said = run.steps.flatMap((step, index) => [
    ...messagesOfStep(run, step),
    ...unanswered(step),
    ...notesAfter(run, index + 1),
  ]);
  return [...asked, ...notesAfter(run, 0), ...said].map(neverEmpty);
}

function unanswered({ calls, results }: RunStep): ModelMessage[] {
  return calls
    .filter(({ callId }) => results.every((result) => result.callId !== callId))
    .map(({ id }) => ({ role: "tool", toolCallId: id, text: "(the run ended before there was an answer)" }));
}

/** Where nothing is left of a message it stays in its place: providers refuse one that says nothing. */
function neverEmpty(message: ModelMessage): ModelMessage {
  const isCall = message.role === "assistant" && (message.toolCalls ?? []).length > 0;
  return isCall || message.text.trim() !== "" ? message : { ...message, text: "(nothing)" };
}
