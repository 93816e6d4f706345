import { ProviderFailedError } from "@spfunctions/contracts";

/** An answer of which nobody knows what it has cost. Asked again, its provider would not say it either. */
export function unpricedAnswer(name: string, remedy: string): ProviderFailedError {
  return new ProviderFailedError(
    `${name} did not say how many tokens its answer has cost, and nothing is guessed; ${remedy}`,
    { details: { reason: "unknown_usage" }, retry: "never" },
  );
}
