import type { ModelCompleteInput, ModelMessage } from "@spfunctions/kernel";
import type { ConversationNames } from "../conversation-names.ts";
import { argumentsObject } from "../read-arguments.ts";
import type { AiSdkCallOptions, AiSdkMessage } from "./language-model.ts";

/** What the model is called with. */
export function aiSdkRequest(
  { messages, tools, output, maxTokens }: Omit<ModelCompleteInput, "signal">,
  names: ConversationNames,
): Omit<AiSdkCallOptions, "abortSignal"> {
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? (message.toolCalls ?? []) : [],
  );
  const nameById = new Map(calls.map(({ id, name }) => [id, name]));
  return {
    prompt: promptOf(messages, names, nameById),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input }) => ({
        type: "function",
        name: names.tools.wire(name),
        description,
        inputSchema: { ...input },
      })),
    }),
    ...(output && { responseFormat: { type: "json", schema: { ...output }, name: "answer" } }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
  };
}

/** Results that follow one another stand in one message. */
function promptOf(
  messages: readonly ModelMessage[],
  names: ConversationNames,
  nameById: ReadonlyMap<string, string>,
): AiSdkMessage[] {
  const prompt: AiSdkMessage[] = [];
  for (const message of messages) {
    const one = promptMessage(message, names, nameById);
    const last = prompt.at(-1);
    if (one.role === "tool" && last?.role === "tool") last.content.push(...one.content);
    else prompt.push(one);
  }
  return prompt;
}

function promptMessage(
  message: ModelMessage,
  names: ConversationNames,
  nameById: ReadonlyMap<string, string>,
): AiSdkMessage {
  const { text } = message;
  if (message.role === "tool") {
    const toolName = names.tools.wire(nameById.get(message.toolCallId) ?? "unknown");
    const toolCallId = names.calls.wire(message.toolCallId);
    const output = { type: "text", value: text } as const;
    return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] };
  }
  if (message.role !== "assistant")
    return message.role === "system"
      ? { role: "system", content: text }
      : { role: "user", content: [{ type: "text", text }] };
  const calls = (message.toolCalls ?? []).map(({ id, name, args }) => ({
    type: "tool-call" as const,
    toolCallId: names.calls.wire(id),
    toolName: names.tools.wire(name),
    input: argumentsObject(args),
  }));
  return {
    role: "assistant",
    content: [...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls],
  };
}
