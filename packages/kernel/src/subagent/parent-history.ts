// What there is of a parent to hand over, from its own records: in the recorded form, as every model is told it.
import type { ContentRef } from "@spfunctions/contracts";
import { type CallsState, foldCalls } from "../journal/fold-calls.ts";
import { readWholeStream } from "../journal/read-stream.ts";
import { requireWhole, verifyStream } from "../journal/verify-stream.ts";
import type { ModelMessage } from "../model/model-adapter.ts";
import { isGiven, outputOf, textOf } from "../replay/recorded-answer.ts";
import type { Run } from "../run/state/fold-run.ts";
import { LaidOut } from "../run/model/laid-out.ts";
import { messagesOfStep, notesAfter, openingMessages } from "../run/model/run-messages.ts";
import type { Store } from "../store/store.ts";

/** A run's calls, and the texts of its content rows, as far as they are there and nothing withholds them. */
export type RunContent = { readonly calls: CallsState; readonly texts: ReadonlyMap<ContentRef, string> };

export async function readContent(
  store: Store,
  { runId, accountId }: Pick<Run["opening"], "runId" | "accountId">,
): Promise<RunContent> {
  const texts = new Map<ContentRef, string>();
  const calls: CallsState = new Map();
  const found = readWholeStream(store, runId, accountId);
  const verification = await verifyStream(found, { of: { stream: runId, accountId } }, (verified) => {
    foldCalls(calls, verified);
    for (const row of verified.content) {
      const text = textOf(row);
      if (text !== undefined) texts.set(row.ref, text);
    }
  });
  requireWhole(verification, `the journal of ${runId}`);
  for (const ref of withheldIn(calls)) texts.delete(ref);
  return { calls, texts };
}

/** What the run itself was not given is handed on by nobody: what a policy withholds, what fits no contract, what came too late. */
function withheldIn(calls: CallsState): ContentRef[] {
  return [...calls.values()].flatMap((call) => {
    const own = isGiven(call) ? undefined : outputOf(call);
    return [own, call.late?.output].flatMap((output) => output?.ref ?? []);
  });
}

/** What these tools have answered, oldest first. */
export function answersOf({ calls }: RunContent, tools: readonly string[]): ContentRef[] {
  return [...calls.values()].flatMap((call) => {
    const output = outputOf(call);
    return output !== undefined && isGiven(call) && tools.includes(call.opening.tool) ? [output.ref] : [];
  });
}

/** Everything that a run's model was told and has said, with what was said in its session before. */
export function toldIn(run: Run, session: readonly ModelMessage[]): ModelMessage[] {
  const all = new LaidOut(openingMessages(run), session);
  all.append(notesAfter(run, 0));
  for (const [index, step] of run.steps.entries())
    all.add([...messagesOfStep(run, step), ...notesAfter(run, index + 1)]);
  return [...all.projected(undefined)];
}
