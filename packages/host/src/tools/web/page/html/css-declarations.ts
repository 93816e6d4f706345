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
  ["opacity zoom scale translate width height max-width max-height", number],
  ["left right top bottom margin-left margin-right margin-top margin-bottom text-indent", number],
  ["font-size", `${number}|(?:x+-)?(?:small|large)|medium|smaller|larger|math`],
  ["overflow overflow-x overflow-y", "(?:visible|hidden|clip|scroll|auto|overlay)(?: .*)?"],
  ["color -webkit-text-fill-color background background-color background-clip -webkit-background-clip", ".+"],
  ["clip clip-path transform filter mask", ".+\\(.*|auto|none"],
] as const)
  for (const name of names.split(" ")) known.set(name, new RegExp(`^(?:${values}|${anywhere})$`));

/** The same under another name, where lines go from left to right and from top to bottom. */
const alias = new Map([
  ["inline-size", "width"],
  ["block-size", "height"],
  ["max-inline-size", "max-width"],
  ["max-block-size", "max-height"],
  ["overflow-inline", "overflow-x"],
  ["overflow-block", "overflow-y"],
  ["inset-inline-start", "left"],
  ["inset-inline-end", "right"],
  ["inset-block-start", "top"],
  ["inset-block-end", "bottom"],
  ["margin-inline-start", "margin-left"],
  ["margin-block-start", "margin-top"],
  ["mask-image", "mask"],
  ["-webkit-mask", "mask"],
  ["-webkit-mask-image", "mask"],
]);

/** What stands for several, in the order in which their values come. */
const several = new Map([
  ["inset", ["top", "right", "bottom", "left"]],
  ["inset-inline", ["left", "right"]],
  ["inset-block", ["top", "bottom"]],
  ["margin", ["margin-top", "margin-right", "margin-bottom", "margin-left"]],
  ["margin-inline", ["margin-left", "margin-right"]],
  ["margin-block", ["margin-top", "margin-bottom"]],
]);

/** A font of no size. What else a font says is not read. */
const tinyFont = /(?:^| )(0+(?:\.0*)?[a-z%]*|0?\.\d+p[xt]|1p[xt])(?: ?\/.*)? ./;

type Declared = { readonly property: string; readonly value: string; readonly isImportant: boolean };

export function readDeclarations(text: string): Declarations {
  const found = new Map<string, { value: string; isImportant: boolean }>();
  const css = plainCss(text);
  const hasVariables = css.includes("var(");
  const all = css.split(";").flatMap((part) => declaredIn(part, hasVariables));
  const variables = new Map(hasVariables ? all.map(({ property, value }) => [property, value]) : []);
  for (const { property, value, isImportant } of all) {
    const said = longhands(property, hasVariables ? valueOf(value, variables) : value);
    if (!said.every(([name, one]) => known.get(name)?.test(one) === true)) continue;
    for (const [name, one] of said)
      if (isImportant || found.get(name)?.isImportant !== true) found.set(name, { value: one, isImportant });
  }
  return found;
}

function declaredIn(part: string, hasVariables: boolean): Declared[] {
  const colon = part.indexOf(":");
  const property = part.slice(0, Math.max(0, colon)).trim();
  const isKnown = known.has(property) || alias.has(property) || several.has(property) || property === "font";
  if (!isKnown && !(hasVariables && property.startsWith("--"))) return [];
  // A line end is a space: what a pattern means by any character is then every one, and none of them is tried twice.
  const said = part
    .slice(colon + 1)
    .trim()
    .replaceAll(/\s+/g, " ");
  const value = said.replace(/! ?important$/, "").trimEnd();
  return [{ property, value, isImportant: value.length < said.length }];
}

function longhands(property: string, value: string): (readonly [name: string, value: string])[] {
  if (property.startsWith("--")) return [];
  if (property === "font") {
    const size = tinyFont.exec(value)?.[1];
    return size === undefined ? [] : [["font-size", size]];
  }
  const names = several.get(property);
  if (names === undefined) return [[alias.get(property) ?? property, value]];
  const values = value.split(" ");
  // What is not given is as on the other side, or as the first.
  return names.map((name, index) => [name, values[index] ?? values[index - 2] ?? values[0] ?? ""] as const);
}

/** As deep as values go on from each other. */
const mostValues = 8;

/** A value that is said in the same place, or what counts where it is said nowhere. One that is said elsewhere stays as it is. */
function valueOf(value: string, variables: ReadonlyMap<string, string>): string {
  let now = value;
  for (let count = 0; count < mostValues; count++) {
    const [, name = "", other] = /^var\( ?(--[^,) ]+) ?(?:,([^]*))?\)$/.exec(now) ?? [];
    const next = variables.get(name) ?? other?.trim();
    if (next === undefined) return now;
    now = next;
  }
  return value;
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
