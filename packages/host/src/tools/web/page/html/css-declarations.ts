/** What a rule or an element's own style says; of what is said twice the last word counts, and an important one before all. */
export type Declarations = ReadonlyMap<string, { readonly value: string; readonly isImportant: boolean }>;

/** Properties that can hide what is on a page. */
const known = new Set(
  `display visibility opacity content-visibility font-size color background background-color background-clip -webkit-background-clip
  position left right top bottom margin-left margin-top text-indent width height max-width max-height overflow overflow-x overflow-y
  clip clip-path transform scale filter zoom`.split(/\s+/),
);

export function readDeclarations(text: string): Declarations {
  const found = new Map<string, { value: string; isImportant: boolean }>();
  for (const part of plainCss(text).split(";")) {
    const colon = part.indexOf(":");
    const property = part.slice(0, colon).trim();
    if (colon === -1 || !known.has(property)) continue;
    const said = part.slice(colon + 1);
    const value = said.replace(/!\s*important\s*$/, "").trim();
    const isImportant = value.length < said.trim().length;
    if (isImportant || found.get(property)?.isImportant !== true) found.set(property, { value, isImportant });
  }
  return found;
}

/** Lower case, without comments and escapes: `d\69splay` is `display`. */
export function plainCss(text: string): string {
  if (!/[/\\]/.test(text)) return text.toLowerCase();
  return text
    .replaceAll(/\/\*[^]*?(?:\*\/|$)/g, "")
    .replaceAll(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, code: string | undefined, other: string) =>
      code === undefined ? other : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)),
    )
    .toLowerCase();
}
