// A model is outside: what it answers is read once, and what is no answer is a failure of its provider.
import { type JsonValue, ProviderFailedError } from "@spfunctions/contracts";
import { freeze, type Payload } from "../../call/payload.ts";
import type { ModelToolCall, ModelUsage } from "../../model/model-adapter.ts";

export type ModelAnswer = {
  /** Its text and its calls. */
  readonly said: Payload;
  readonly toolCalls: readonly ModelToolCall[];
  readonly usage: ModelUsage;
};

/** B2: it is this from here on, whatever whoever gave it does to it later. */
export function readAnswer(given: unknown, mostCalls: number): ModelAnswer {
  const { text = "", toolCalls, usage, finish } = membersOf(given, "the answer");
  if (typeof text !== "string") throw malformed("its text is no text");
  if (finish === "error") throw malformed("it says itself that it failed");
  if (finish === "length") throw cutOff();
  // G1: whether it is whole is not for us to guess.
  if (finish !== "stop" && finish !== "tool_calls")
    throw malformed("its finish is none of stop, tool_calls, length and error");
  const proposed = itemsOf(toolCalls, mostCalls);
  if (text.trim() === "" && proposed.length === 0) throw malformed("it says nothing and calls nothing");
  const calls = proposed.map((one): ModelToolCall => {
    const { id, name, args } = membersOf(one, "a call");
    if (typeof id !== "string" || id === "" || typeof name !== "string")
      throw malformed("a call has no id or no name");
    return { id, name, args: (args === undefined ? {} : args) as JsonValue };
  });
  // B8: two calls of one id could not be told apart by whoever answers them.
  if (new Set(calls.map(({ id }) => id)).size < calls.length) throw malformed("two calls have the same id");
  const counted = readUsage({ usage });
  if (counted === undefined) throw malformed("its usage is no count of tokens");
  const said = freeze({ text: text.toWellFormed(), toolCalls: calls });
  if (said.type === "unreadable") throw malformed(`it ${said.problem.message}`);
  return { said, toolCalls: (said.value as Pick<ModelAnswer, "toolCalls">).toolCalls, usage: counted };
}

/** What an answer says that it has cost; nothing where it does not say. */
export function readUsage(given: unknown): ModelUsage | undefined {
  try {
    const { usage } = membersOf(given, "the answer");
    const { inputTokens, outputTokens } = membersOf(usage, "its usage");
    return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : undefined;
  } catch {
    return undefined;
  }
}

/** Read once: a getter that answers otherwise the second time is not asked. */
function membersOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw malformed(`${what} is no object`);
  return { ...value };
}

/** The same of a list: what it would show the next time, or would do with it itself, is not asked. */
function itemsOf(list: unknown, most: number): unknown[] {
  if (!Array.isArray(list)) throw malformed("toolCalls is no list");
  const { length } = list;
  if (length > most) throw malformed(`it proposes more than ${most} calls at once (runLimits.callsPerStep)`);
  return Array.from({ length }, (_, index): unknown => list[index]);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Half an answer is none, and the same question would be cut off again. */
function cutOff(): ProviderFailedError {
  return new ProviderFailedError(
    "the model's answer was cut off at the most tokens that it may answer with; give it more (maxOutputTokens)",
    { details: { reason: "not_retryable" } },
  );
}

function malformed(why: string): ProviderFailedError {
  return new ProviderFailedError(`the model's answer cannot be read: ${why}`);
}
