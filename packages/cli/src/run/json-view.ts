import { sayTrouble } from "./say-trouble.ts";
import type { RunView, RunViewTerms } from "./run-view.ts";

/** One object on the standard output, whatever became of the run. */
export function jsonView(terms: RunViewTerms): RunView {
  return {
    begun: () => undefined,
    opened: () => undefined,
    event: () => undefined,
    cancelling: () => undefined,
    ended: (result) => {
      terms.print.json({ ok: result.status === "completed", ...result }, 2);
      sayTrouble(result, terms);
    },
  };
}
