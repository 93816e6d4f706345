import { CancelledError, cutText, isSimpleFunctionsError, readRetryAfter } from "@spfunctions/contracts";
import type { ProviderSecrets } from "../wire/provider-secrets.ts";
import { membersOf, textOr } from "../wire/read-json.ts";
import { refusal } from "../wire/refusal.ts";
import { UnheardError } from "../wire/unheard-error.ts";

const mostWords = 500;
const mostRead = 64 * 1024;

/**
 * Whatever a model of the AI SDK throws. With a status of 400 or more it is the provider's refusal; without one nobody knows what
 * became of the request. What else such an error carries, like the request, stays behind.
 */
export function aiSdkFault(
  name: string,
  thrown: unknown,
  signal: AbortSignal,
  secrets: ProviderSecrets,
): Error {
  if (signal.aborted) return new CancelledError(`${name}: cancelled while it was asked`);
  if (thrown instanceof UnheardError || isSimpleFunctionsError(thrown)) return thrown;
  const { statusCode, responseHeaders } = membersOf(thrown);
  const words = secrets.hideInText(thrown instanceof Error ? cutText(thrown.message, mostRead) : "");
  if (typeof statusCode !== "number" || statusCode < 300)
    return new UnheardError(
      `${name}: the answer broke off${words === "" ? "" : ` (${cutText(words, mostWords)})`}`,
    );
  const after = textOr(membersOf(responseHeaders)["retry-after"], undefined);
  return refusal(name, { status: statusCode, words, retryAfterMs: readRetryAfter(after, Date.now()) });
}
