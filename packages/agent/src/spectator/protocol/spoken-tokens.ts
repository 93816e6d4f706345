import { type BlockKind, blockMarkers } from "./markers.ts";

/** What a model's text is cut at. */
export type Token =
  | { readonly type: "begin" | "end"; readonly kind: BlockKind; readonly text: string }
  | { readonly type: "think" | "thought"; readonly name: string; readonly text: string };

const kinds: readonly BlockKind[] = ["notes", "calls"];
/** What models put around their reasoning, in either case but for what might be an ordinary word in brackets. */
const reasoning: readonly (readonly [begin: string, end: string])[] = [
  ...["think", "thinking", "reasoning", "thought", "seed:think"].map(
    (tag) => [`<${tag}>`, `</${tag}>`] as const,
  ),
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
  ["<|start_thinking|>", "<|end_thinking|>"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["<|channel|>analysis<|message|>", "<|channel|>final<|message|>"],
];

const ofBlocks: readonly Token[] = kinds.flatMap((kind) => [
  { type: "begin", kind, text: blockMarkers[kind].begin } as const,
  { type: "end", kind, text: blockMarkers[kind].end } as const,
]);
const ofReasoning: readonly Token[] = reasoning.flatMap(([begin, end]) => [
  { type: "think", name: begin, text: begin } as const,
  { type: "thought", name: begin, text: end } as const,
]);

export const tokens: readonly Token[] = [...ofBlocks, ...ofReasoning];

/** What a token begins with. */
const firsts = new Set(tokens.map(({ text }) => text.charAt(0)));

export function mayBegin(unit: string): boolean {
  return firsts.has(unit);
}

/** Marks are themselves only as they are written; tags that are written small in either case. */
export function begins({ text }: Token, said: string): boolean {
  return text.startsWith(said) || text.startsWith(said.toLowerCase());
}

/** The only token that ends what this one has opened. Anything else that stands between them is as good as absent. */
export function closers(opener: Token): readonly Token[] {
  if (opener.type === "begin")
    return tokens.filter((token) => token.type === "end" && token.kind === opener.kind);
  return tokens.filter((token) => token.type === "thought" && "name" in opener && token.name === opener.name);
}
