// A provider is outside: it is asked once, not followed elsewhere, heard to its end within bounds, and told to stop when nobody waits.
import {
  CancelledError,
  isSimpleFunctionsError,
  type JsonObject,
  ProviderFailedError,
  readBaseUrl,
  readRetryAfter,
  refuseExposedKey,
  TimeoutError,
} from "@spfunctions/contracts";
import { type Clock, systemClock } from "@spfunctions/kernel";
import { Patience } from "../../waiting/patience.ts";
import { AnswerReader, type Heard } from "./answer-reader.ts";
import type { ProviderSecrets } from "./provider-secrets.ts";
import { readTexts } from "./read-texts.ts";
import { membersOf } from "./read-json.ts";
import { readProviderError, refusal } from "./refusal.ts";
import { UnheardError } from "./unheard-error.ts";

/** How a provider is reached; the same for all that are asked over HTTP. */
export type ProviderOptions = {
  /** Instead of the runtime's own. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Milliseconds without a sign of life after which nobody waits any more; 120,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** Bytes of an answer; 32 MiB unless given. What is larger is not read to its end. */
  readonly maxAnswerBytes?: number | undefined;
  /** A key over plain http to another machine. */
  readonly insecure?: boolean | undefined;
  readonly clock?: Pick<Clock, "after" | "now"> | undefined;
};

type Accepted = "application/json" | "text/event-stream";

/** What all of them take. */
export const providerOptionNames = [
  "fetch",
  "timeoutMs",
  "maxAnswerBytes",
  "insecure",
  "clock",
] satisfies (keyof ProviderOptions)[];

/**
 * How long a provider may say nothing, before its answer and within it.
 * @limit model.silenceMs | `timeout`, and a run asks again | `timeoutMs` of the adapter
 */
const defaultSilenceMs = 120_000;
/**
 * An answer of a provider, as it comes.
 * @limit model.answerBytes | `provider_failed`, and a run asks again | `maxAnswerBytes` of the adapter
 */
const defaultMaxBytes = 32 * 1024 * 1024;
/** What is read of a refusal. */
const maxRefusalBytes = 64 * 1024;

const addressWords = {
  name: "the model's baseUrl",
  remedy: "give an address like https://api.openai.com/v1",
};

/** Faults that come before a request has left. */
const unreached = new Set<unknown>(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);
/** What fetch says, and no code, of ports that it never uses, such as 1. */
const badPort = "bad port";

export class Provider {
  readonly name: string;
  readonly #baseUrl: string;
  readonly #path: string;
  readonly #secrets: ProviderSecrets;
  readonly #options: ProviderOptions;

  constructor(
    name: string,
    at: { readonly baseUrl: string; readonly path: string },
    secrets: ProviderSecrets,
    options: ProviderOptions,
  ) {
    const baseUrl = readBaseUrl(at.baseUrl, addressWords);
    if (secrets.isSecret) refuseExposedKey(baseUrl, options.insecure ?? false);
    this.name = name;
    this.#baseUrl = baseUrl;
    this.#path = at.path;
    this.#secrets = secrets;
    this.#options = options;
  }

  /** An answer, unless it repeats what proves who asks. */
  refuseEcho<Said>(said: Said): Said {
    return this.#secrets.refuseEcho(this.name, said);
  }

  hide(words: string): string {
    return this.#secrets.hideInText(words);
  }

  /** What it says, as it comes: a stream, or a whole answer. */
  async *ask(body: JsonObject, accept: Accepted, asker: AbortSignal): AsyncGenerator<Heard> {
    const { clock = systemClock, timeoutMs = defaultSilenceMs } = this.#options;
    const patience = new Patience(clock, timeoutMs, asker);
    try {
      const response = await this.#send(body, accept, patience);
      patience.heard();
      if (!response.ok) throw await this.#refusalIn(response, patience, clock.now());
      yield* this.#hear(response, patience);
    } catch (fault) {
      throw this.#faultOf(fault, patience);
    } finally {
      patience.close();
    }
  }

  async *#hear(response: Response, patience: Patience): AsyncGenerator<Heard> {
    const type = response.headers.get("content-type") ?? "";
    const reader = new AnswerReader(type);
    const mostBytes = this.#options.maxAnswerBytes ?? defaultMaxBytes;
    for await (const text of readTexts(response, patience, mostBytes, this.name)) {
      yield* reader.push(text);
      if (reader.isNeither) throw this.noAnswer(`neither JSON nor an event stream (${typeWords(type)})`);
    }
    yield* reader.end();
  }

  /** What it answered with is certainly no answer of a model: nothing was spent, and it would answer so again. */
  noAnswer(what: string): ProviderFailedError {
    const address = this.hide(this.#baseUrl);
    return new ProviderFailedError(
      `${this.name} answered with ${what}; is ${address} the address before ${this.#path}?`,
      { details: { reason: "no_answer" }, retry: "never" },
    );
  }

  #send(body: JsonObject, accept: Accepted, patience: Patience): Promise<Response> {
    if (patience.early !== undefined) return patience.race(new Promise(() => {}));
    const { fetch: given = fetch } = this.#options;
    const headers = new Headers({ "content-type": "application/json", accept });
    this.#secrets.authorize(headers);
    const init = { method: "POST", headers, body: JSON.stringify(body), redirect: "manual" } as const;
    return patience.race(given(this.#baseUrl + this.#path, { ...init, signal: patience.signal }));
  }

  async #refusalIn(response: Response, patience: Patience, now: number): Promise<ProviderFailedError> {
    const { status, headers, type } = response;
    if (type === "opaqueredirect" || (status >= 300 && status < 400))
      return refusal(this.name, { status, words: "a redirect, which is not followed" });
    const retryAfterMs = readRetryAfter(headers.get("retry-after"), now);
    const said = readWords(await wordsIn(response, patience, this.name));
    return refusal(this.name, { ...said, words: this.hide(said.words ?? ""), status, retryAfterMs });
  }

  #faultOf(fault: unknown, { early }: Patience): unknown {
    const { name } = this;
    if (early === "cancelled") return new CancelledError(`${name}: cancelled while it was asked`);
    if (early === "silent")
      return new TimeoutError(
        `${name} said nothing for ${this.#options.timeoutMs ?? defaultSilenceMs} ms; give it more with timeoutMs`,
      );
    if (isSimpleFunctionsError(fault) || fault instanceof UnheardError) return fault;
    const cause = fault instanceof Error ? fault.cause : undefined;
    const { code } = membersOf(cause);
    const isBadPort = cause instanceof Error && cause.message === badPort;
    if (unreached.has(code) || isBadPort)
      return new ProviderFailedError(
        `${name} was not reached (${isBadPort ? badPort : String(code)}); is it running, and is that its address?`,
        { details: { reason: "unreached" } },
      );
    return new UnheardError(`${name}: the answer broke off${typeof code === "string" ? ` (${code})` : ""}`);
  }
}

/** A content type without its parameters, if it is one. */
function typeWords(type: string): string {
  return /^[\w.+-]{1,40}\/[\w.+-]{1,40}/.exec(type)?.[0] ?? "no content type";
}

/** As much of a refusal as came. What does not end, or is no text, is a refusal without words. */
async function wordsIn(response: Response, patience: Patience, name: string): Promise<string> {
  let words = "";
  try {
    for await (const text of readTexts(response, patience, maxRefusalBytes, name)) words += text;
    return words;
  } catch {
    return "";
  }
}

function readWords(text: string): ReturnType<typeof readProviderError> {
  try {
    return readProviderError(JSON.parse(text));
  } catch {
    // A page for a browser says nothing that belongs into a message.
    return { words: /^\s*</.test(text) ? "" : text };
  }
}
