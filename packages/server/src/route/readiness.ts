import { JournalAppendFailedError, type SimpleFunctionsError } from "@spfunctions/contracts";
import type { Clock, Store } from "@spfunctions/kernel";
import { shownError } from "./shown-error.ts";

/** Why no call can be made here now; nothing where all is well. */
export type Readiness = () => Promise<SimpleFunctionsError | undefined>;

/**
 * Asks the store to write nothing at all: it answers only where it could write something. However many ask, it is asked once in
 * `readyMs`, and has as long to answer.
 */
export function readinessOf(store: Store, clock: Clock, readyMs: number): Readiness {
  let asked: { readonly at: number; readonly answer: ReturnType<Readiness> } | undefined;
  return () => {
    const now = clock.elapsed();
    if (asked === undefined || now - asked.at >= readyMs) asked = { at: now, answer: ask() };
    return asked.answer;
  };

  async function ask(): ReturnType<Readiness> {
    const late = Promise.withResolvers<SimpleFunctionsError>();
    const cancel = clock.after(readyMs, () => late.resolve(noAnswer(readyMs)));
    const written = store.commit({ durability: "process", now: clock.now() }).then(
      () => undefined,
      (thrown: unknown) => shownError(thrown),
    );
    const answer = await Promise.race([written, late.promise]);
    cancel();
    return answer;
  }
}

function noAnswer(readyMs: number): JournalAppendFailedError {
  return new JournalAppendFailedError(`the store has not answered within ${readyMs} ms`);
}
