import { matchesToolPattern, nearest } from "@spfunctions/contracts";

export type Unmatched = { readonly name: string; readonly suggestions: readonly string[] };

/** Those of some names and patterns that no tool matches, each with what may have been meant. */
export function unmatchedTools(patterns: readonly string[], tools: readonly string[]): Unmatched[] {
  return patterns
    .filter((pattern) => !tools.some((tool) => matchesToolPattern(tool, pattern)))
    .map((name) => ({ name, suggestions: nearest(name, name.endsWith(".*") ? groupsOf(tools) : tools, 1) }));
}

/** `watchlists.*`, of every name that has a dot. */
function groupsOf(tools: readonly string[]): Set<string> {
  return new Set(
    tools.flatMap((tool) => [...tool.matchAll(/\./g)].map(({ index }) => `${tool.slice(0, index)}.*`)),
  );
}

export function noToolText({ name, suggestions }: Unmatched): string {
  const none = name.endsWith("*") ? `no tool matches ${name}` : `no tool is called ${name}`;
  return `${none}${meantText(suggestions)}`;
}

export function meantText([meant]: readonly string[]): string {
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}
