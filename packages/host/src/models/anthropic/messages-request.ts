// The results of one answer's calls stand in one message of the user, before anything else in it; nobody speaks twice in a row; a
// text is never empty.
import type { JsonObject } from "@spfunctions/contracts";
import type { ModelCompleteInput, ModelMessage } from "@spfunctions/kernel";
import type { ConversationNames } from "../conversation-names.ts";
import { argumentsObject } from "../read-arguments.ts";
import { answerTool, answerToolOf } from "./answer-tool.ts";

type Turn = { readonly role: "user" | "assistant"; readonly content: JsonObject[] };

export type MessagesTerms = {
  readonly model: string;
  /** For who asks without saying how much. */
  readonly maxTokens: number;
  /** Further members of every request. */
  readonly body: JsonObject;
};

/** The body of a request to the messages API. */
export function messagesRequest(
  { messages, tools, output, maxTokens }: Omit<ModelCompleteInput, "signal">,
  names: ConversationNames,
  terms: MessagesTerms,
): JsonObject {
  const system = messages.flatMap(({ role, text }) => (role === "system" && text !== "" ? [text] : []));
  const offered = tools.map(({ name, description, input }) => ({
    name: names.tools.wire(name),
    description,
    input_schema: input,
  }));
  const choice: JsonObject = offered.length > 0 ? { type: "any" } : { type: "tool", name: answerTool };
  return {
    ...terms.body,
    model: terms.model,
    max_tokens: maxTokens ?? terms.maxTokens,
    ...(system.length > 0 && { system: system.join("\n\n") }),
    messages: turnsOf(messages, names),
    ...(output
      ? { tools: [...offered, answerToolOf(output)], tool_choice: choice }
      : offered.length > 0 && { tools: offered }),
  };
}

function turnsOf(messages: readonly ModelMessage[], names: ConversationNames): JsonObject[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    if (message.role === "system") continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = contentOf(message, names);
    if (content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  return turns.map(({ role, content }) => ({
    role,
    content: content.toSorted((one, other) => placeOf(one) - placeOf(other)),
  }));
}

function placeOf(block: JsonObject): number {
  return block["type"] === "tool_result" ? 0 : 1;
}

function contentOf(message: ModelMessage, names: ConversationNames): JsonObject[] {
  const text = message.text.trim() === "" ? [] : [{ type: "text", text: message.text }];
  if (message.role === "tool") {
    const id = names.calls.wire(message.toolCallId);
    return [{ type: "tool_result", tool_use_id: id, ...(text.length > 0 && { content: message.text }) }];
  }
  if (message.role !== "assistant") return text;
  const calls = (message.toolCalls ?? []).map(({ id, name, args }) => ({
    type: "tool_use",
    id: names.calls.wire(id),
    name: names.tools.wire(name),
    input: argumentsObject(args),
  }));
  return [...text, ...calls];
}
