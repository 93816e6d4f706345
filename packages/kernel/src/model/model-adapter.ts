import type { JsonObject, JsonValue } from "@spfunctions/contracts";

export type ModelToolCall = { readonly id: string; readonly name: string; readonly args: JsonValue };

export type ModelMessage =
  | { readonly role: "system" | "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly toolCalls?: readonly ModelToolCall[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly text: string };

/** A tool as a model is shown it. */
export type ModelTool = { readonly name: string; readonly description: string; readonly input: JsonObject };

export type ModelCompleteInput = {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** JSON Schema of what the answer must be, where it is not text. */
  readonly output?: JsonObject | undefined;
  readonly maxTokens?: number | undefined;
  readonly signal: AbortSignal;
};

export type ModelUsage = { readonly inputTokens: number; readonly outputTokens: number };

export type ModelCompleteResult = {
  readonly text?: string | undefined;
  readonly toolCalls: readonly ModelToolCall[];
  readonly finish: "stop" | "tool_calls" | "length" | "error";
  readonly usage: ModelUsage;
};

export type ModelEvent =
  | { readonly type: "text.delta"; readonly text: string }
  | {
      readonly type: "tool_call.delta";
      readonly id: string;
      readonly name?: string | undefined;
      readonly args: string;
    }
  | { readonly type: "usage"; readonly usage: ModelUsage }
  | { readonly type: "done"; readonly result: ModelCompleteResult };

/** How a model is asked. What it answers is checked by whoever asks: a model is outside. */
export interface ModelAdapter {
  readonly name: string;
  /** Whether it answers without reaching for anything outside this process. */
  readonly offline?: boolean;
  complete(input: ModelCompleteInput): Promise<ModelCompleteResult>;
  stream?(input: ModelCompleteInput): AsyncIterable<ModelEvent>;
}
