import type { ModelCompleteResult, ModelEvent, ModelUsage } from "@spfunctions/kernel";
import type { ConversationNames } from "../conversation-names.ts";
import { countIn, listOf, membersOf, textOr } from "../wire/read-json.ts";
import { UnheardError } from "../wire/unheard-error.ts";
import { ChatCalls } from "./chat-calls.ts";

export type UnpricedResult = Omit<ModelCompleteResult, "usage"> & { readonly usage: ModelUsage | undefined };

/** Why an answer ended, in the words of those who speak this language. What nobody knows is no reason to believe it whole. */
const reasons = new Map<string, "whole" | "length">([
  ["stop", "whole"],
  ["tool_calls", "whole"],
  ["function_call", "whole"],
  ["eos", "whole"],
  ["eos_token", "whole"],
  ["stop_sequence", "whole"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_length", "length"],
]);

/** A chat completion, whole or as it comes: the same pieces come to the same answer. */
export class ChatAnswer {
  readonly #calls: ChatCalls;
  readonly #text: string[] = [];
  #reason = "";
  #usage: ModelUsage | undefined;
  #hasSaid = false;
  #isWhole = false;

  constructor(names: ConversationNames) {
    this.#calls = new ChatCalls(names);
  }

  /** Whether anything came that somebody may have to pay for. */
  get hasSaid(): boolean {
    return this.#hasSaid;
  }

  /** Whether it has said why it ended, and since then what it has cost: nothing can be missing. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** `delta` of a stream's chunk, or the `message` of a whole answer. */
  *take(chunk: unknown): Generator<ModelEvent> {
    const { choices, usage } = membersOf(chunk);
    const all = listOf(choices).map(membersOf);
    const choice = all.find(({ index }) => index === 0 || index === undefined);
    const { delta, message } = choice ?? {};
    const { content, refusal, reasoning, reasoning_content: thought, ...said } = membersOf(delta ?? message);
    if (textOr(reasoning, "") !== "" || textOr(thought, "") !== "") this.#hasSaid = true;
    for (const text of [textIn(content), textOr(refusal, "")]) {
      if (text === "") continue;
      this.#hasSaid = true;
      this.#text.push(text);
      yield { type: "text.delta", text };
    }
    for (const [place, call] of callsIn(said).entries()) {
      this.#hasSaid = true;
      // In a whole answer each stands in its place, whatever its id.
      yield this.#calls.take(delta === undefined ? { ...membersOf(call), index: place } : call);
    }
    // Some say "" until there is one.
    const reason = choice?.["finish_reason"];
    if (typeof reason === "string" && reason !== "") {
      this.#reason = reason;
      this.#isWhole = false;
    } else if (message !== undefined && this.#hasSaid) {
      // Some servers give no reason; a message that came whole has ended.
      this.#reason = "stop";
    }
    const counted = readUsage(usage);
    if (counted === undefined) return;
    this.#usage = counted;
    this.#isWhole = this.#reason !== "";
    yield { type: "usage", usage: counted };
  }

  result(name: string): UnpricedResult {
    if (this.#reason === "") throw new UnheardError(`${name}: the answer ended without a finish_reason`);
    const text = this.#text.join("");
    const toolCalls = this.#calls.toolCalls();
    const known = reasons.get(this.#reason);
    const whole = toolCalls.length > 0 ? "tool_calls" : "stop";
    const finish = known === undefined ? "error" : known === "length" ? "length" : whole;
    return { ...(text !== "" && { text }), toolCalls, finish, usage: this.#usage };
  }
}

/** Some give a list of parts; what is no text, like reasoning, is not the answer. */
function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = listOf(content).map(membersOf);
  return parts.map(({ type, text }) => (type === "text" ? textOr(text, "") : "")).join("");
}

/** Old servers call one function, by another name. */
function callsIn({ tool_calls: calls, function_call: called }: Record<string, unknown>): readonly unknown[] {
  return isEmptyCall(called) ? listOf(calls) : [...listOf(calls), { function: called }];
}

/** Some servers send the member of old servers in every answer, with nothing in it. */
function isEmptyCall(called: unknown): boolean {
  const { name, arguments: args } = membersOf(called);
  return textOr(name, "") === "" && (args === undefined || args === null || args === "");
}

/** What was thought is in the total alone where it is not counted as output (Gemini, xAI). */
function readUsage(usage: unknown): ModelUsage | undefined {
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = membersOf(usage);
  const inputTokens = countIn(input);
  if (inputTokens === undefined) return undefined;
  const rest = countIn(Number(countIn(total)) - inputTokens);
  const outputTokens = Math.max(countIn(output) ?? -1, rest ?? -1);
  return outputTokens === -1 ? undefined : { inputTokens, outputTokens };
}
