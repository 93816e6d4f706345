// How a long-lived agent asks its model: `chat` for a whole answer, `stream_chat` for one as it comes. Any model adapter is one.
import type { ChatMessage } from "@spfunctions/contracts";
import type {
  ModelAdapter,
  ModelCompleteInput,
  ModelCompleteResult,
  ModelEvent,
  ModelMessage,
  ModelTool,
  ModelToolCall,
} from "@spfunctions/kernel";

/** What was said. Calls and their ids are there where a model calls tools by itself; else everything stands in the text. */
export type BackendMessage = ChatMessage & {
  readonly toolCalls?: readonly ModelToolCall[];
  readonly toolCallId?: string;
};

export type ChatRequest = {
  readonly messages: readonly BackendMessage[];
  /** Those that it may call by itself. */
  readonly tools: readonly ModelTool[];
  readonly maxTokens?: number | undefined;
};

export type ChatResponse = Pick<ModelCompleteResult, "toolCalls" | "finish" | "usage"> & {
  readonly content: string;
};

/** A piece of the answer; with the last one, the whole. */
export type ChatDelta = { readonly content: string } | { readonly response: ChatResponse };

export interface Backend {
  readonly name: string;
  /** Whether it answers without reaching for anything outside this process. */
  readonly offline?: boolean;
  chat(request: ChatRequest, cancel?: AbortSignal): Promise<ChatResponse>;
  stream_chat(request: ChatRequest, cancel: AbortSignal): AsyncIterable<ChatDelta>;
}

export function backendOf(adapter: ModelAdapter): Backend {
  const chat: Backend["chat"] = async (request, cancel = new AbortController().signal) =>
    responseOf(await adapter.complete(inputOf(request, cancel)));
  return {
    name: adapter.name,
    ...(adapter.offline !== undefined && { offline: adapter.offline }),
    chat,
    async *stream_chat(request, cancel) {
      if (adapter.stream === undefined) {
        const response = await chat(request, cancel);
        if (response.content !== "") yield { content: response.content };
        yield { response };
        return;
      }
      for await (const event of adapter.stream(inputOf(request, cancel))) yield* deltasOf(event);
    },
  };
}

function* deltasOf(event: ModelEvent): Generator<ChatDelta> {
  if (event.type === "text.delta") yield { content: event.text };
  if (event.type === "done") yield { response: responseOf(event.result) };
}

function responseOf({ text = "", toolCalls, finish, usage }: ModelCompleteResult): ChatResponse {
  return { content: text, toolCalls, finish, usage };
}

function inputOf({ messages, tools, maxTokens }: ChatRequest, signal: AbortSignal): ModelCompleteInput {
  const calls = new Set<string>();
  const told = messages.map((message): ModelMessage => {
    for (const { id } of message.toolCalls ?? []) calls.add(id);
    return messageOf(message, calls);
  });
  return { messages: told, tools, signal, ...(maxTokens !== undefined && { maxTokens }) };
}

/** Providers take a tool's result only where they have seen the call: any other is told as what it is, in words. */
function messageOf(
  { role, content: text, toolCalls, toolCallId }: BackendMessage,
  calls: ReadonlySet<string>,
): ModelMessage {
  if (role === "assistant") return { role, text, ...(toolCalls && { toolCalls }) };
  if (role !== "tool") return { role, text };
  if (toolCallId !== undefined && calls.has(toolCallId)) return { role, toolCallId, text };
  return { role: "user", text: `Result of a tool, as data:\n${text}` };
}
