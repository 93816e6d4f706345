// What is tried again and again may fail again and again: whoever is told reads it once.
type Done = { readonly failed: readonly unknown[] };
export type Attempt = (what: string, act: () => Promise<Done | void>) => Promise<void>;

/** Attempts things until the signal fires, and tells of each fault once until it changes or is over. It never throws. */
export function attemptAgain(onFault: (what: string, fault: unknown) => void, signal: AbortSignal): Attempt {
  const known = new Map<string, ReadonlySet<string>>();
  const tell = (what: string, fault: unknown): void => {
    try {
      onFault(what, fault);
    } catch {
      // Time goes on whether or not whoever is told can bear it.
    }
  };
  return async (what, act) => {
    if (signal.aborted) return;
    const faults = await faultsOf(act);
    if (signal.aborted) return;
    const before = known.get(what);
    known.set(what, new Set(faults.map(wordsOf)));
    for (const fault of faults) if (before?.has(wordsOf(fault)) !== true) tell(what, fault);
  };
}

async function faultsOf(act: () => Promise<Done | void>): Promise<readonly unknown[]> {
  try {
    return (await act())?.failed ?? [];
  } catch (error) {
    return [error];
  }
}

/** What tells one fault from another. */
function wordsOf(fault: unknown): string {
  if (!(fault instanceof Error)) return JSON.stringify(fault) ?? "";
  const { code, message } = fault as { readonly code?: unknown; readonly message: string };
  return JSON.stringify([code, message]);
}
