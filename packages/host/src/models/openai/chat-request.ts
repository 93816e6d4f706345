import type { JsonObject, JsonValue } from "@spfunctions/contracts";
import type { ModelCompleteInput, ModelMessage } from "@spfunctions/kernel";
import type { ConversationNames } from "../conversation-names.ts";
import { argumentsObject } from "../read-arguments.ts";

export type ChatTerms = {
  readonly model: string;
  /** What the most tokens of an answer are asked for by. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  /** Further members of every request. */
  readonly body: JsonObject;
};

/** The body of a chat completion. */
export function chatRequest(
  { messages, tools, output, maxTokens }: Omit<ModelCompleteInput, "signal">,
  names: ConversationNames,
  { model, maxTokensField, body }: ChatTerms,
): JsonObject {
  return {
    ...body,
    model,
    messages: messages.map((message) => chatMessage(message, names)),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input }) => ({
        type: "function",
        function: { name: names.tools.wire(name), description, parameters: input },
      })),
    }),
    ...(output && {
      response_format: { type: "json_schema", json_schema: { name: "answer", schema: output } },
    }),
    ...(maxTokens !== undefined && { [maxTokensField]: maxTokens }),
  };
}

function chatMessage(message: ModelMessage, names: ConversationNames): JsonValue {
  if (message.role === "tool")
    return { role: "tool", tool_call_id: names.calls.wire(message.toolCallId), content: message.text };
  if (message.role !== "assistant") return { role: message.role, content: message.text };
  const { text, toolCalls = [] } = message;
  if (toolCalls.length === 0) return { role: "assistant", content: text };
  return {
    role: "assistant",
    content: text === "" ? null : text,
    tool_calls: toolCalls.map(({ id, name, args }) => ({
      id: names.calls.wire(id),
      type: "function",
      function: { name: names.tools.wire(name), arguments: JSON.stringify(argumentsObject(args)) },
    })),
  };
}
