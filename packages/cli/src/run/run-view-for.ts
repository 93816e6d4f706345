import { humanView } from "./human-view.ts";
import { jsonView } from "./json-view.ts";
import { ndjsonView } from "./ndjson-view.ts";
import type { RunView, RunViewTerms } from "./run-view.ts";

/** How whoever asked wants to see a run. */
export function runViewFor(
  { json, ndjson }: { readonly json?: true; readonly ndjson?: true },
  terms: RunViewTerms,
): RunView {
  if (ndjson === true) return ndjsonView(terms, Date.now);
  return json === true ? jsonView(terms) : humanView(terms);
}
