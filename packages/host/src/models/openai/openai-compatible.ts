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
import { UnheardError } from "../wire/unheard-error.ts";
import { ChatAnswer, type UnpricedResult } from "./chat-answer.ts";
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
  readonly #countUsage: OpenaiCompatibleOptions["countUsage"];

  constructor({ model, baseUrl, apiKey, headers, name, body = {}, ...rest }: OpenaiCompatibleOptions) {
    this.name = name ?? `openai:${model}`;
    const secrets = new ProviderSecrets(apiKey, (key) => ({ authorization: `Bearer ${key}` }), headers);
    this.#provider = new Provider(this.name, { baseUrl, path: "/chat/completions" }, secrets, rest);
    const isOpenai = new URL(baseUrl).hostname === "api.openai.com";
    if (isOpenai && apiKey === undefined && headers === undefined)
      throw new MissingApiKeyError(
        "this model needs a key; give apiKey: process.env.OPENAI_API_KEY, and set that",
      );
    const { maxTokensField = isOpenai ? "max_completion_tokens" : "max_tokens" } = rest;
    this.#terms = { model, body, maxTokensField };
    this.#countUsage = rest.countUsage;
  }

  async complete(input: ModelCompleteInput): Promise<ModelCompleteResult> {
    const names = conversationNames(input);
    const request = chatRequest(input, names, this.#terms);
    const text = await this.#provider.ask(request, input.signal);
    const answer = new ChatAnswer(names);
    const said = readJson(text, this.name);
    this.#refuseError(said, answer);
    for (const _ of answer.take(said));
    return this.#finished(input, answer.result(this.name));
  }

  async *stream(input: ModelCompleteInput): AsyncGenerator<ModelEvent> {
    const names = conversationNames(input);
    const request = {
      ...chatRequest(input, names, this.#terms),
      stream: true,
      stream_options: { include_usage: true },
    };
    const answer = new ChatAnswer(names);
    for await (const { data } of this.#provider.follow(request, input.signal)) {
      if (data.trim() === "[DONE]") {
        yield { type: "done", result: this.#finished(input, answer.result(this.name)) };
        return;
      }
      const chunk = readJson(data, this.name);
      this.#refuseError(chunk, answer);
      yield* answer.take(chunk);
    }
    throw new UnheardError(`${this.name}: the stream ended before its end mark`);
  }

  /** Routers say inside an answer of status 200 that there is none. What was said before that has been paid for. */
  #refuseError(chunk: unknown, { hasSaid }: ChatAnswer): void {
    const { error } = membersOf(chunk);
    if (error === undefined || error === null) return;
    const { code, ...said } = readProviderError(chunk);
    const words = this.#provider.hide(said.words ?? "");
    const status = Number(code);
    const known = Number.isInteger(status) && status >= 400 && status < 600 ? status : 502;
    const refused = refusal(this.name, { ...said, words, status: known });
    throw hasSaid ? new UnheardError(`${this.name} broke off its answer: ${refused.message}`) : refused;
  }

  #finished(input: ModelCompleteInput, { usage, ...said }: UnpricedResult): ModelCompleteResult {
    this.#provider.refuseEcho(said);
    const counted = usage ?? this.#countUsage?.(input, said);
    if (counted === undefined)
      throw new UnheardError(
        `${this.name} did not say how many tokens its answer has cost, and nothing is guessed; give countUsage`,
      );
    return { ...said, usage: counted };
  }
}
