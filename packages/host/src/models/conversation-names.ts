import type { ModelCompleteInput } from "@spfunctions/kernel";
import { WireNames } from "./wire-names.ts";

/** Longer names of tools and ids of calls are refused by one provider or another. */
const longestName = 64;
const longestId = 40;

/** The names and ids of a conversation as a provider takes them. */
export type ConversationNames = {
  readonly tools: WireNames;
  readonly calls: WireNames;
  /** Answers so far: what makes an id that a provider has left out one of its own. */
  readonly turn: number;
};

export function conversationNames(
  { messages, tools }: Pick<ModelCompleteInput, "messages" | "tools">,
  /** Names that are to be left free. */
  reserved: readonly string[] = [],
): ConversationNames {
  const answers = messages.filter((message) => message.role === "assistant");
  const calls = answers.flatMap(({ toolCalls = [] }) => toolCalls);
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []));
  const names = [...reserved, ...tools.map(({ name }) => name), ...calls.map(({ name }) => name)];
  return {
    tools: new WireNames(names, longestName),
    calls: new WireNames([...calls.map(({ id }) => id), ...results], longestId),
    turn: answers.length,
  };
}
