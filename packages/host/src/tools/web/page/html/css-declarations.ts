/** What a rule or an element's own style says; of what is said twice the last word counts, and an important one before all. */
export type Declarations = ReadonlyMap<string, { readonly value: string; readonly isImportant: boolean }>;

const anywhere = "inherit|initial|unset|revert|revert-layer|var\\(.*";
const number = "[+-]?\\.?\\d.*|(?:calc|min|max|clamp)\\(.*|auto|none|normal|(?:min|max|fit)-content.*";

/** Properties that can hide what is on a page, and what their values look like. Others have no effect, and change nothing. */
const known = new Map<string, RegExp>();
for (const [names, values] of [
  ["visibility", "visible|hidden|collapse"],
  ["content-visibility", "visible|hidden|auto"],
  [
    "display",
    "none|contents|-?(?:[a-z]+-)*(?:block|inline|flow|root|flex|grid|table|list-item|ruby|box|flexbox)(?:[ -].*)?",
  ],
  ["position", "static|relative|absolute|fixed|(?:-webkit-)?sticky"],
  ["opacity zoom scale width height max-width max-height", number],
  ["left right top bottom margin-left margin-top text-indent", number],
  ["font-size", `${number}|(?:x+-)?(?:small|large)|medium|smaller|larger|math`],
  ["overflow overflow-x overflow-y", "(?:visible|hidden|clip|scroll|auto|overlay)(?: .*)?"],
  ["color background background-color background-clip -webkit-background-clip", ".+"],
  ["clip clip-path transform filter", ".+\\(.*|auto|none"],
] as const)
  for (const name of names.split(" ")) known.set(name, new RegExp(`^(?:${values}|${anywhere})$`));

export function readDeclarations(text: string): Declarations {
  const found = new Map<string, { value: string; isImportant: boolean }>();
  for (const part of plainCss(text).split(";")) {
    const colon = part.indexOf(":");
    const property = part.slice(0, colon).trim();
    const values = colon === -1 ? undefined : known.get(property);
    if (values === undefined) continue;
    // A line end is a space: what a pattern means by any character is then every one, and none of them is tried twice.
    const said = part
      .slice(colon + 1)
      .trim()
      .replaceAll(/\s+/g, " ");
    const value = said.replace(/! ?important$/, "").trimEnd();
    const isImportant = value.length < said.length;
    if (!values.test(value)) continue;
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
