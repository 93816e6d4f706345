import { CancelledError, HostConfigurationNeededError, refuseUnknown } from "@spfunctions/contracts";
import {
  type ModelAdapter,
  type ModelCompleteInput,
  type ModelCompleteResult,
  type ModelEvent,
  unlessAborted,
} from "@spfunctions/kernel";
import { type ConversationNames, conversationNames } from "../conversation-names.ts";
import { ProviderSecrets } from "../wire/provider-secrets.ts";
import { listOf, membersOf, textOr } from "../wire/read-json.ts";
import { UnheardError } from "../wire/unheard-error.ts";
import { AiSdkAnswer, readUsage } from "./ai-sdk-answer.ts";
import { aiSdkFault } from "./ai-sdk-fault.ts";
import { aiSdkRequest } from "./ai-sdk-request.ts";
import type { AiSdkLanguageModel } from "./language-model.ts";

export type FromAiSdkOptions = {
  /** What records call it; `<provider>:<model>` unless given. */
  readonly name?: string | undefined;
  /** The key that the model was made with, so that it is hidden where a provider repeats it. */
  readonly apiKey?: string | undefined;
};

const versions = ["v2", "v3", "v4"];

/** A language model of the AI SDK, as `openai("…")` of one of its provider packages gives it. */
export function fromAiSdk(model: AiSdkLanguageModel, options: FromAiSdkOptions = {}): ModelAdapter {
  if (typeof model?.doGenerate !== "function" || !versions.includes(model.specificationVersion))
    throw new HostConfigurationNeededError(
      `this is no language model of the AI SDK that is known here (specification ${versions.join(", ")}); give what its provider packages give, not a model's name`,
      { details: { reason: "unknown_model" } },
    );
  refuseUnknown(options, ["name", "apiKey"], "model option");
  const { name = `${model.provider}:${model.modelId}`, apiKey } = options;
  return new FromAiSdk(name, model, new ProviderSecrets(apiKey, () => ({})));
}

class FromAiSdk implements ModelAdapter {
  readonly name: string;
  readonly #model: AiSdkLanguageModel;
  readonly #secrets: ProviderSecrets;

  constructor(name: string, model: AiSdkLanguageModel, secrets: ProviderSecrets) {
    this.name = name;
    this.#model = model;
    this.#secrets = secrets;
  }

  async complete(input: ModelCompleteInput): Promise<ModelCompleteResult> {
    const { names, options, signal } = this.#prepare(input);
    try {
      const asked = Promise.resolve(this.#model.doGenerate(options));
      const { content, finishReason, usage } = membersOf(await unlessAborted(asked, signal, givenUp));
      const answer = new AiSdkAnswer(names);
      for (const part of listOf(content).map(membersOf)) {
        if (part["type"] === "text") answer.addText(textOr(part["text"], ""));
        if (part["type"] === "tool-call") answer.addCall(part);
      }
      return this.#secrets.refuseEcho(this.name, answer.result(this.name, finishReason, usage));
    } catch (thrown) {
      throw aiSdkFault(this.name, thrown, signal, this.#secrets);
    }
  }

  async *stream(input: ModelCompleteInput): AsyncGenerator<ModelEvent> {
    const { names, options, signal } = this.#prepare(input);
    try {
      const asked = Promise.resolve(this.#model.doStream(options));
      const { stream } = await unlessAborted(asked, signal, givenUp);
      yield* this.#follow(stream.getReader(), names, signal);
    } catch (thrown) {
      throw aiSdkFault(this.name, thrown, signal, this.#secrets);
    }
  }

  async *#follow(
    reader: ReadableStreamDefaultReader<unknown>,
    names: ConversationNames,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent> {
    const answer = new AiSdkAnswer(names);
    try {
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- one part comes after the other
        const { done, value } = await unlessAborted(reader.read(), signal, givenUp);
        if (done) throw new UnheardError(`${this.name}: the stream ended before its end mark`);
        const part = membersOf(value);
        if (part["type"] === "error") throw part["error"];
        if (part["type"] === "finish") {
          const { finishReason, usage } = part;
          const counted = readUsage(usage);
          if (counted !== undefined) yield { type: "usage", usage: counted };
          const result = answer.result(this.name, finishReason, usage);
          yield { type: "done", result: this.#secrets.refuseEcho(this.name, result) };
          return;
        }
        const event = take(answer, part, names);
        if (event !== undefined) yield event;
      }
    } finally {
      // Whoever stops listening ends the request, too.
      void reader.cancel().catch(() => {});
    }
  }

  #prepare(input: ModelCompleteInput) {
    const { signal } = input;
    if (signal.aborted) throw givenUp();
    const names = conversationNames(input);
    return { names, signal, options: { ...aiSdkRequest(input, names), abortSignal: signal } };
  }
}

function take(
  answer: AiSdkAnswer,
  part: Record<string, unknown>,
  names: ConversationNames,
): ModelEvent | undefined {
  const id = textOr(part["id"], "");
  const delta = textOr(part["delta"], "");
  switch (part["type"]) {
    case "text-delta":
      answer.addText(delta);
      return delta === "" ? undefined : { type: "text.delta", text: delta };
    case "tool-input-start":
      return { type: "tool_call.delta", id, name: names.tools.own(textOr(part["toolName"], "")), args: "" };
    case "tool-input-delta":
      return { type: "tool_call.delta", id, args: delta };
    case "tool-call":
      answer.addCall(part);
      return undefined;
    default:
      return undefined;
  }
}

function givenUp(): CancelledError {
  return new CancelledError("cancelled while the model was asked");
}
