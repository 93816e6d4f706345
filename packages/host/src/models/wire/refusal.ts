// A provider that refuses says so with a status: whether asking again can help follows from it.
import { cutText, ProviderFailedError, type Retry } from "@spfunctions/contracts";
import { membersOf, textOr } from "./read-json.ts";

const mostWords = 500;

export type Refusal = {
  /** Not every error inside an answer has one. */
  readonly status?: number | undefined;
  /** The provider's own, without secrets. */
  readonly words?: string | undefined;
  /** The provider's own name for what went wrong. */
  readonly kind?: string | undefined;
  readonly retryAfterMs?: number | undefined;
};

export function refusal(
  name: string,
  { status, words = "", kind, retryAfterMs }: Refusal,
): ProviderFailedError {
  const retry = kind === "insufficient_quota" ? "after_user_action" : retryOf(status);
  const said = cutText(words.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim(), mostWords);
  return new ProviderFailedError(
    `${name} refused${status === undefined ? "" : ` with status ${status}`}${said === "" ? "" : ` (${said})`}; ${advice[retry]}`,
    {
      details: {
        reason: "refused",
        ...(status !== undefined && { status }),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      },
      retry,
    },
  );
}

const advice = {
  after_wait: "ask again later",
  after_user_action: "look at its key, its rights and its credit",
  never: "the same request will be refused again; look at the model's name, its address and what it is asked",
} as const;

function retryOf(status = 500): keyof typeof advice & Retry {
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500)
    return "after_wait";
  return status === 401 || status === 402 || status === 403 ? "after_user_action" : "never";
}

/** What a provider says of what went wrong, in the forms in which they say it; Gemini's are in a list. */
export function readProviderError(body: unknown): Omit<Refusal, "status"> & { readonly code?: unknown } {
  const { error, message, detail } = membersOf(Array.isArray(body) ? body[0] : body);
  if (typeof error === "string") return { words: error };
  const { message: own, code, type, metadata } = membersOf(error);
  const { raw } = membersOf(metadata);
  const words = [own, raw, message, detail].filter((one) => one !== undefined && one !== null);
  return { words: words.map(asWords).join(": "), code, kind: textOr(code, textOr(type, "")) };
}

/** Some say which members of a request they do not take, as data (Mistral, vLLM). */
function asWords(said: unknown): string {
  return typeof said === "string" ? said : JSON.stringify(said);
}
