/** Aborted with the first of the two. For every read: `AbortSignal.any` costs ten times as much. */
export function eitherSignal(
  one: AbortSignal,
  other: AbortSignal,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const signals = [one, other];
  if (signals.some(({ aborted }) => aborted)) abort();
  for (const signal of signals) signal.addEventListener("abort", abort, { once: true });
  return {
    signal: controller.signal,
    release: () => {
      for (const signal of signals) signal.removeEventListener("abort", abort);
    },
  };
}
