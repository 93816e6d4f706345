// R1, B23: a model that only says again what it has said. It is asked what it was asked then, or it is a miss: nothing is guessed.
import { ProviderFailedError, readCanonicalJson, ReplayMissError, type Spent } from "@spfunctions/contracts";
import { requireWhole } from "../journal/verify-stream.ts";
import type { ModelAdapter, ModelCompleteInput, ModelCompleteResult } from "../model/model-adapter.ts";
import { toldDigestIn, toldOf } from "../run/model/conversation.ts";
import { readTrace, type Trace } from "../trace/read-trace.ts";
import { textOf } from "./recorded-answer.ts";

type Said = { readonly answer: ModelCompleteResult } | { readonly failed: string };

/** Every recorded answer is given once, to whom is told exactly what the model was told then. */
export async function openModelReplay(texts: readonly string[]): Promise<ModelAdapter> {
  const traces = await Promise.all(texts.map(readTrace));
  for (const [index, { verification }] of traces.entries()) requireWhole(verification, `trace ${index + 1}`);
  const said = new Map<string, Said[]>();
  const names = new Set<string>();
  for (const trace of traces) note(trace, said, names);
  return { name: [...names][0] ?? "recorded", offline: true, complete: async (input) => next(said, input) };
}

function note(trace: Trace, said: Map<string, Said[]>, names: Set<string>): void {
  let asked: string | undefined;
  for (const record of trace.models) {
    if (record.kind === "model.intended") {
      const told = textOf(trace.content.get(record.told?.ref ?? ""));
      // What was erased is asked again by nobody.
      asked = told === undefined ? record.messagesDigest : toldDigestIn(told);
      names.add(record.model);
    }
    if (record.kind !== "model.settled" || asked === undefined) continue;
    const words = textOf(trace.content.get((record.output ?? record.error?.message)?.ref ?? ""));
    const list = said.get(asked) ?? [];
    said.set(asked, list);
    if (record.status !== "completed") list.push({ failed: words ?? "it failed, and why was erased" });
    else if (words !== undefined) list.push({ answer: answerIn(words, record.spent) });
  }
}

function answerIn(text: string, { inputTokens = 0, outputTokens = 0 }: Spent): ModelCompleteResult {
  const { text: words, toolCalls } = readCanonicalJson(text) as Pick<
    ModelCompleteResult,
    "text" | "toolCalls"
  >;
  const finish = toolCalls.length > 0 ? "tool_calls" : "stop";
  return { text: words, toolCalls, finish, usage: { inputTokens, outputTokens } };
}

/** What has failed then and was answered when it was asked again is answered at once. */
function next(said: Map<string, Said[]>, { messages }: ModelCompleteInput): ModelCompleteResult {
  const { digest } = toldOf(messages);
  const left = said.get(digest) ?? [];
  const at = left.findIndex((one) => "answer" in one);
  const [found] = left.splice(0, at < 0 ? left.length : at + 1).slice(-1);
  if (found === undefined)
    throw new ReplayMissError(
      `no recorded answer of a model is left for these ${messages.length} messages (${digest}); nothing was asked. Replay what was recorded: the same objective, tools and policy, with the installation it was recorded under`,
      { details: { reason: "model", inputHash: digest } },
    );
  if ("answer" in found) return found.answer;
  throw new ProviderFailedError(found.failed, { details: { reason: "not_retryable" } });
}
