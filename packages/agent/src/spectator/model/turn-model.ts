// The model of a turn as the kernel asks it. What it says is on record as it said it; what of that is a call is read from its own text, or
// is one that it makes by itself. Either goes the same way.
import type {
  ModelAdapter,
  ModelCompleteInput,
  ModelCompleteResult,
  ModelMessage,
  ModelTool,
  ModelToolCall,
} from "@spfunctions/kernel";
import type { AnswerLimits } from "../protocol/answer-limits.ts";
import { blockMarkers, breakMarkers } from "../protocol/markers.ts";
import { readSaid } from "../protocol/read-answer.ts";
import { VisibleStream } from "../protocol/visible-stream.ts";
import type { Backend, BackendMessage, ChatRequest, ChatResponse } from "./backend.ts";

/** `text`: tools are told of in words, and called by a block in the answer. `native`: the model calls them by itself. */
export type ToolCalling = "text" | "native";

export type TurnModelTerms = { readonly calling: ToolCalling; readonly limits: AnswerLimits };

export function turnModel(backend: Backend, terms: TurnModelTerms): ModelAdapter {
  return {
    name: backend.name,
    ...(backend.offline !== undefined && { offline: backend.offline }),
    complete: async (input) =>
      resultOf(await backend.chat(requestOf(input, terms), input.signal), terms.limits),
    async *stream(input) {
      const visible = new VisibleStream();
      for await (const delta of backend.stream_chat(requestOf(input, terms), input.signal)) {
        const text = "content" in delta ? visible.push(delta.content) : visible.end();
        // Nothing of a block is ever shown, not even for a moment.
        if (text !== "") yield { type: "text.delta", text };
        if ("response" in delta) yield { type: "done", result: resultOf(delta.response, terms.limits) };
      }
    },
  };
}

function resultOf(
  { content: text, toolCalls, finish, usage }: ChatResponse,
  limits: AnswerLimits,
): ModelCompleteResult {
  return { text, toolCalls: [...toolCalls, ...callsInText(text, toolCalls, limits)], finish, usage };
}

/** B33: those of a well-formed block in the model's own words. One whose id another call has is no part of one. */
function callsInText(
  text: string,
  native: readonly Pick<ModelToolCall, "id">[],
  limits: AnswerLimits,
): ModelToolCall[] {
  const { calls } = readSaid(text, limits);
  if (calls?.type !== "calls") return [];
  if (calls.calls.some(({ id }) => native.some((one) => one.id === id))) return [];
  return calls.calls.map(({ id, tool, args }) => ({ id, name: tool, args }));
}

function requestOf(
  { messages, tools, maxTokens }: ModelCompleteInput,
  { calling, limits }: TurnModelTerms,
): ChatRequest {
  const isNative = calling === "native";
  return {
    messages: messages.map((message) => toldAs(message, isNative ? [] : tools, limits)),
    tools: isNative ? tools : [],
    ...(maxTokens !== undefined && { maxTokens }),
  };
}

function toldAs(message: ModelMessage, tools: readonly ModelTool[], limits: AnswerLimits): BackendMessage {
  const { text } = message;
  // G3: also what a child of a turn is told, which nobody else has looked through.
  if (message.role === "tool")
    return { role: "tool", content: breakMarkers(text), toolCallId: message.toolCallId };
  if (message.role !== "assistant") {
    const isTold = message.role === "system" && tools.length > 0;
    return { role: message.role, content: isTold ? `${text}\n\n${toolList(tools)}` : text };
  }
  // What stands in the text as a block is not said twice.
  const { toolCalls = [] } = message;
  const inText = new Set(toolCalls.length === 0 ? [] : callsInText(text, [], limits).map(({ id }) => id));
  const own = toolCalls.filter(({ id }) => !inText.has(id));
  return { role: "assistant", content: text, ...(own.length > 0 && { toolCalls: own }) };
}

function toolList(tools: readonly ModelTool[]): string {
  const lines = tools.map(
    ({ name, description, input }) => `- ${name}: ${description}\n  args: ${JSON.stringify(input)}`,
  );
  return `${callsProtocol}\nTools you may call:\n${lines.join("\n")}`;
}

const callsProtocol = `To call tools, write one block, outside of any code fence, and wait for the results:
${blockMarkers.calls.begin}
[{"id": "t1", "tool": "<name>", "args": {}}]
${blockMarkers.calls.end}
Each id stands once in an answer. The results come as messages of the role tool. An answer without this block is your last word in this turn.`;
