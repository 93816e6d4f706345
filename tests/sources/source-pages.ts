import { findProofs } from "./find-proofs.ts";
import { printIndex, printSource } from "./print-source.ts";
import { sources } from "./sources.ts";

/** The pages of `docs/sources` by their path. */
export function sourcePages(): ReadonlyMap<string, string> {
  const proofs = findProofs();
  return new Map([
    ["docs/sources/README.md", printIndex(sources)],
    ...sources.map((source) => [`docs/sources/${source.name}.md`, printSource(source, proofs)] as const),
  ]);
}
