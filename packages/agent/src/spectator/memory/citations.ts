import { cutText, type MemoryId } from "@spfunctions/contracts";

export type Citations = {
  /** Shown in this turn, and cited; each once, in the order of the text. */
  readonly cited: readonly MemoryId[];
  /** Cited as if it had been shown. */
  readonly unknown: readonly string[];
};

/** No bracket within, so that every character is looked at once. */
const citation = /\[mem:([^[\]]*)\]/g;
const mostUnknown = 50;

/** What a text cites as `[mem:<id>]`, against what was really shown. */
export function checkCitations(visibleText: string, shownIds: Iterable<MemoryId>): Citations {
  const shown = new Set<string>(shownIds);
  const named = new Set(Array.from(visibleText.matchAll(citation), ([, id = ""]) => cutText(id.trim(), 100)));
  const cited = [...named].filter((id) => shown.has(id)) as MemoryId[];
  const unknown = [...named].filter((id) => !shown.has(id)).slice(0, mostUnknown);
  return { cited, unknown };
}
