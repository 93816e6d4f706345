import { type JsonObject, MissingApiKeyError, refuseUnknown } from "@spfunctions/contracts";
import type { ModelAdapter, ModelCompleteInput, ModelCompleteResult, ModelEvent } from "@spfunctions/kernel";
import { type ConversationNames, conversationNames } from "../conversation-names.ts";
import { Provider, type ProviderOptions, providerOptionNames } from "../wire/provider.ts";
import { type GivenHeaders, ProviderSecrets } from "../wire/provider-secrets.ts";
import { membersOf, readJson, textOr } from "../wire/read-json.ts";
import { readProviderError, refusal } from "../wire/refusal.ts";
import { resultOf } from "../wire/result-of.ts";
import { UnheardError } from "../wire/unheard-error.ts";
import { answerTool } from "./answer-tool.ts";
import { MessagesAnswer } from "./messages-answer.ts";
import { messagesRequest, type MessagesTerms } from "./messages-request.ts";

export type AnthropicOptions = ProviderOptions & {
  readonly model: string;
  readonly apiKey: string;
  /** Up to `/v1/messages`; `https://api.anthropic.com` unless given. */
  readonly baseUrl?: string | undefined;
  /** Of the API; `2023-06-01` unless given. */
  readonly version?: string | undefined;
  readonly headers?: GivenHeaders | undefined;
  /** What records call it; `anthropic:<model>` unless given. */
  readonly name?: string | undefined;
  /** Tokens of an answer where whoever asks does not say; 4,096 unless given. */
  readonly maxTokens?: number | undefined;
  /** Further members of every request, like `{ temperature: 0 }`. */
  readonly body?: JsonObject | undefined;
};

const ownNames = ["model", "apiKey", "baseUrl", "version", "headers", "name", "maxTokens", "body"];
const optionNames = [...ownNames, ...providerOptionNames];

/** A model behind Anthropic's messages API. */
export function anthropic(options: AnthropicOptions): ModelAdapter {
  refuseUnknown(options, optionNames, "model option");
  if (typeof options.apiKey !== "string")
    throw new MissingApiKeyError(
      "anthropic needs a key; give apiKey: process.env.ANTHROPIC_API_KEY, and set that",
    );
  return new Anthropic(options);
}

/** The status that belongs to an error that comes inside a stream. */
const statuses = new Map<unknown, number>([
  ["invalid_request_error", 400],
  ["authentication_error", 401],
  ["billing_error", 402],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["api_error", 500],
  ["timeout_error", 504],
  ["overloaded_error", 529],
]);

class Anthropic implements ModelAdapter {
  readonly name: string;
  readonly #provider: Provider;
  readonly #terms: MessagesTerms;

  constructor({ model, apiKey, version = "2023-06-01", headers, name, ...rest }: AnthropicOptions) {
    const { baseUrl = "https://api.anthropic.com", maxTokens = 4096, body = {} } = rest;
    this.name = name ?? `anthropic:${model}`;
    const own = (key: string) => ({ "x-api-key": key, "anthropic-version": version });
    const secrets = new ProviderSecrets(apiKey, own, headers);
    this.#provider = new Provider(this.name, { baseUrl, path: "/v1/messages" }, secrets, rest);
    this.#terms = { model, maxTokens, body };
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
    const names = this.#namesOf(input);
    const answer = new MessagesAnswer(names, input.output);
    const request = {
      ...messagesRequest(input, names, this.#terms),
      ...(accept === "text/event-stream" && { stream: true }),
    };
    for await (const { data, isWhole } of this.#provider.ask(request, accept, input.signal)) {
      const event = membersOf(readJson(data, this.name));
      if (event["type"] === "error") throw this.#failed(event, answer);
      if (isWhole) {
        if (!Array.isArray(event["content"])) throw this.#provider.noAnswer("JSON that has no content");
        yield* answer.takeMessage(event);
        return this.#finished(answer);
      }
      if (event["type"] === "message_stop") return this.#finished(answer);
      const said = take(answer, event);
      if (said !== undefined) yield said;
    }
    throw new UnheardError(`${this.name}: the answer ended before its end mark, message_stop`);
  }

  /** Where an answer has a form, a tool of ours takes it. */
  #namesOf(input: ModelCompleteInput): ConversationNames {
    return conversationNames(input, input.output === undefined ? [] : [answerTool]);
  }

  /** What was said before an error has been paid for. */
  #failed(event: unknown, { hasSaid }: MessagesAnswer): Error {
    const { kind, words = "" } = readProviderError(event);
    const status = statuses.get(kind) ?? 500;
    const refused = refusal(this.name, { status, kind, words: this.#provider.hide(words) });
    return hasSaid ? new UnheardError(`${this.name} broke off its answer: ${refused.message}`) : refused;
  }

  #finished(answer: MessagesAnswer): ModelCompleteResult {
    return this.#provider.refuseEcho(answer.result(this.name));
  }
}

/** One event of a stream. One that is not known, like `ping`, says nothing. */
function take(answer: MessagesAnswer, event: Record<string, unknown>): ModelEvent | undefined {
  const index = Number(event["index"]);
  switch (event["type"]) {
    case "message_start":
      return usageEvent(answer, membersOf(event["message"])["usage"]);
    case "content_block_start":
      return answer.start(index, event["content_block"]);
    case "content_block_delta": {
      const { text, partial_json: json } = membersOf(event["delta"]);
      return answer.add(index, textOr(text, textOr(json, "")));
    }
    case "content_block_stop":
      answer.stop(index);
      return undefined;
    case "message_delta":
      answer.end(event["delta"]);
      return usageEvent(answer, event["usage"]);
    default:
      return undefined;
  }
}

function usageEvent(answer: MessagesAnswer, given: unknown): ModelEvent | undefined {
  const usage = answer.count(given);
  return usage && { type: "usage", usage };
}
