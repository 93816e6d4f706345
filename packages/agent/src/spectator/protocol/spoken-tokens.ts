import { type BlockKind, blockMarkers } from "./markers.ts";

/** What a model's text is cut at. */
export type Token =
  | { readonly type: "begin" | "end"; readonly kind: BlockKind; readonly text: string }
  | { readonly type: "think" | "thought"; readonly name: string; readonly text: string };

const kinds: readonly BlockKind[] = ["notes", "calls"];
const reasoningTags = ["think", "thinking", "reasoning"];

const ofBlocks: readonly Token[] = kinds.flatMap((kind) => [
  { type: "begin", kind, text: blockMarkers[kind].begin } as const,
  { type: "end", kind, text: blockMarkers[kind].end } as const,
]);
const ofReasoning: readonly Token[] = reasoningTags.flatMap((name) => [
  { type: "think", name, text: `<${name}>` } as const,
  { type: "thought", name, text: `</${name}>` } as const,
]);

export const tokens: readonly Token[] = [...ofBlocks, ...ofReasoning];

/** Marks are themselves only as they are written; tags in either case. */
export function begins(token: Token, said: string): boolean {
  const isMark = token.type === "begin" || token.type === "end";
  return token.text.startsWith(isMark ? said : said.toLowerCase());
}

/** The only token that ends what this one has opened. Anything else that stands between them is as good as absent. */
export function closers(opener: Token): readonly Token[] {
  if (opener.type === "begin")
    return tokens.filter((token) => token.type === "end" && token.kind === opener.kind);
  return tokens.filter((token) => token.type === "thought" && "name" in opener && token.name === opener.name);
}
