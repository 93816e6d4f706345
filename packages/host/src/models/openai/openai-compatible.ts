import { type JsonObject, MissingApiKeyError, refuseUnknown } from "@spfunctions/contracts";
import type {
  ModelAdapter,
  ModelCompleteInput,
  ModelCompleteResult,
  ModelEvent,
  ModelUsage,
} from "@spfunctions/kernel";
import { conversationNames } from "../conversation-names.ts";
import { Provider, type ProviderOptions, providerOptionNames } from "../wire/provider.ts";
import { type GivenHeaders, ProviderSecrets } from "../wire/provider-secrets.ts";
import { membersOf, readJson } from "../wire/read-json.ts";
import { readProviderError, refusal } from "../wire/refusal.ts";
import { resultOf } from "../wire/result-of.ts";
import { UnheardError } from "../wire/unheard-error.ts";
import { unpricedAnswer } from "../wire/unpriced-answer.ts";
import { ChatAnswer } from "./chat-answer.ts";
import { type ChatTerms, chatRequest } from "./chat-request.ts";

export type OpenaiCompatibleOptions = ProviderOptions & {
  readonly model: string;
  /** Up to `/chat/completions`, like `https://api.openai.com/v1` or `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly headers?: GivenHeaders | undefined;
  /** What records call it; `openai:<model>` unless given. */
  readonly name?: string | undefined;
  /** Further members of every request, like `{ temperature: 0 }`. */
  readonly body?: JsonObject | undefined;
  /** What OpenAI's own models want is the second; other servers know the first. By the address unless given. */
  readonly maxTokensField?: ChatTerms["maxTokensField"] | undefined;
  /** What an answer has cost where the server does not say. Without it such an answer is a failure: nothing is guessed. */
  readonly countUsage?:
    | ((input: ModelCompleteInput, said: Omit<ModelCompleteResult, "usage">) => ModelUsage)
    | undefined;
};

const ownNames = ["model", "baseUrl", "apiKey", "headers", "name", "body", "maxTokensField", "countUsage"];
const optionNames = [...ownNames, ...providerOptionNames];

/** A model behind the chat completions API: OpenAI, OpenRouter, Ollama, vLLM, llama.cpp and others. */
export function openaiCompatible(options: OpenaiCompatibleOptions): ModelAdapter {
  refuseUnknown(options, optionNames, "model option");
  return new OpenaiCompatible(options);
}

class OpenaiCompatible implements ModelAdapter {
  readonly name: string;
  readonly #provider: Provider;
  readonly #terms: ChatTerms;
  readonly #streaming: JsonObject;
  readonly #countUsage: OpenaiCompatibleOptions["countUsage"];

  constructor({ model, baseUrl, apiKey, headers, name, body = {}, ...rest }: OpenaiCompatibleOptions) {
    this.name = name ?? `openai:${model}`;
    const secrets = new ProviderSecrets(apiKey, (key) => ({ authorization: `Bearer ${key}` }), headers);
    this.#provider = new Provider(this.name, { baseUrl, path: "/chat/completions" }, secrets, rest);
    const { hostname } = new URL(baseUrl);
    const isOpenai = hostname === "api.openai.com";
    if (isOpenai && apiKey === undefined && headers === undefined)
      throw new MissingApiKeyError(
        "this model needs a key; give apiKey: process.env.OPENAI_API_KEY, and set that",
      );
    const { maxTokensField = isOpenai ? "max_completion_tokens" : "max_tokens" } = rest;
    this.#terms = { model, body, maxTokensField };
    // Mistral says what an answer has cost in any case, and refuses to be asked for it.
    const isAsked = hostname !== "api.mistral.ai";
    this.#streaming = { stream: true, ...(isAsked && { stream_options: { include_usage: true } }) };
    this.#countUsage = rest.countUsage;
  }

  complete(input: ModelCompleteInput): Promise<ModelCompleteResult> {
    return resultOf(this.#ask(input, "application/json"));
  }

  async *stream(input: ModelCompleteInput): AsyncGenerator<ModelEvent> {
    yield { type: "done", result: yield* this.#ask(input, "text/event-stream") };
  }

  async *#ask(
    input: ModelCompleteInput,
    accept: "application/json" | "text/event-stream",
  ): AsyncGenerator<ModelEvent, ModelCompleteResult> {
    const names = conversationNames(input);
    const answer = new ChatAnswer(names);
    const request = {
      ...chatRequest(input, names, this.#terms),
      ...(accept === "text/event-stream" && this.#streaming),
    };
    for await (const { data, isWhole } of this.#provider.ask(request, accept, input.signal)) {
      if (data.trim() === "[DONE]") return this.#finished(input, answer);
      const chunk = readJson(data, this.name);
      this.#refuseError(chunk, answer);
      if (isWhole && !isCompletion(chunk)) throw this.#provider.noAnswer("JSON that has no choices");
      yield* answer.take(chunk);
      if (isWhole) return this.#finished(input, answer);
    }
    // Some leave the end mark out. What has said why it ended, and then what it cost, is whole.
    if (answer.isWhole) return this.#finished(input, answer);
    throw new UnheardError(`${this.name}: the answer ended before its end mark, [DONE]`);
  }

  /** Routers say inside an answer of status 200 that there is none. What was said before that has been paid for. */
  #refuseError(chunk: unknown, { hasSaid }: ChatAnswer): void {
    const { error } = membersOf(chunk);
    if (error === undefined || error === null) return;
    const { code, ...said } = readProviderError(chunk);
    const words = this.#provider.hide(said.words ?? "");
    const status = Number(code);
    const known = Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
    const refused = refusal(this.name, { ...said, words, status: known });
    throw hasSaid ? new UnheardError(`${this.name} broke off its answer: ${refused.message}`) : refused;
  }

  #finished(input: ModelCompleteInput, answer: ChatAnswer): ModelCompleteResult {
    const { usage, ...said } = answer.result(this.name);
    this.#provider.refuseEcho(said);
    const counted = usage ?? this.#countUsage?.(input, said);
    if (counted === undefined)
      throw unpricedAnswer(
        this.name,
        "count it with openaiCompatible({ countUsage }), or for sf set SF_MODEL_USAGE=estimate",
      );
    return { ...said, usage: counted };
  }
}

function isCompletion(chunk: unknown): boolean {
  const { choices, usage } = membersOf(chunk);
  return Array.isArray(choices) || (usage !== undefined && usage !== null);
}
