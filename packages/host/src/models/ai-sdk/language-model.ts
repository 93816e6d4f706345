// A language model of the AI SDK, as far as it is asked and read here: versions 2, 3 and 4 of its specification have this much in
// common. What it gives back is read as what comes from outside.
import type { JsonObject, JsonValue } from "@spfunctions/contracts";

export type AiSdkMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: { type: "text"; text: string }[] }
  | { role: "assistant"; content: (AiSdkText | AiSdkCall)[] }
  | { role: "tool"; content: AiSdkResult[] };

type AiSdkText = { type: "text"; text: string };
type AiSdkCall = { type: "tool-call"; toolCallId: string; toolName: string; input: JsonObject };
type AiSdkResult = {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: { type: "text"; value: string };
};

export type AiSdkCallOptions = {
  prompt: AiSdkMessage[];
  tools?: {
    type: "function";
    name: string;
    description: string;
    inputSchema: { [key: string]: JsonValue };
  }[];
  responseFormat?: { type: "json"; schema: { [key: string]: JsonValue }; name: string };
  maxOutputTokens?: number;
  abortSignal: AbortSignal;
};

export type AiSdkLanguageModel = {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: AiSdkCallOptions): PromiseLike<object>;
  doStream(options: AiSdkCallOptions): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
};
