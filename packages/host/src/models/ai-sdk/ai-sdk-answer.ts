import type { ModelCompleteResult, ModelToolCall, ModelUsage } from "@spfunctions/kernel";
import type { ConversationNames } from "../conversation-names.ts";
import { readArguments } from "../read-arguments.ts";
import { countIn, membersOf, textOr } from "../wire/read-json.ts";
import { UnheardError } from "../wire/unheard-error.ts";
import { unpricedAnswer } from "../wire/unpriced-answer.ts";

/** The parts of an answer, whole or as they come. */
export class AiSdkAnswer {
  readonly #names: ConversationNames;
  readonly #text: string[] = [];
  readonly #calls: ModelToolCall[] = [];

  constructor(names: ConversationNames) {
    this.#names = names;
  }

  addText(text: string): void {
    this.#text.push(text);
  }

  /** A call that the provider has made itself is no proposal. */
  addCall(part: Record<string, unknown>): void {
    const { toolCallId, toolName, input, providerExecuted } = part;
    if (providerExecuted === true) return;
    const name = this.#names.tools.own(textOr(toolName, ""));
    const args = readArguments(typeof input === "string" ? input : (JSON.stringify(input) ?? ""));
    this.#calls.push({ id: textOr(toolCallId, ""), name, args });
  }

  result(name: string, finishReason: unknown, usage: unknown): ModelCompleteResult {
    const counted = readUsage(usage);
    const text = this.#text.join("");
    const finish = finishOf(finishReason, this.#calls.length > 0);
    if (finish === undefined) throw new UnheardError(`${name}: the answer ended, and nobody says why`);
    if (counted === undefined)
      throw unpricedAnswer(
        name,
        "have its provider package ask for usage, or use openaiCompatible({ countUsage })",
      );
    return { ...(text !== "" && { text }), toolCalls: this.#calls, finish, usage: counted };
  }
}

/** Version 2 gives a number, the later ones an object with the total. */
export function readUsage(usage: unknown): ModelUsage | undefined {
  const { inputTokens: input, outputTokens: output } = membersOf(usage);
  const inputTokens = countIn(input) ?? countIn(membersOf(input)["total"]);
  const outputTokens = countIn(output) ?? countIn(membersOf(output)["total"]);
  return inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens };
}

/** Version 2 gives a word, the later ones an object with it. An end without a reason is none. */
function finishOf(reason: unknown, hasCalls: boolean): ModelCompleteResult["finish"] | undefined {
  const word = typeof reason === "string" ? reason : membersOf(reason)["unified"];
  if (word === "stop" || word === "tool-calls") return hasCalls ? "tool_calls" : "stop";
  if (word === "length") return "length";
  if (word === "content-filter" || word === "error") return "error";
  return undefined;
}
