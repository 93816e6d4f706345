import { type Declarations, plainCss, readDeclarations } from "./css-declarations.ts";

type Rule = {
  readonly tag: string | undefined;
  readonly ids: readonly string[];
  readonly classes: readonly string[];
  /** How much its selector says: of two rules the one that says more wins, then the later one. */
  readonly weight: number;
  readonly order: number;
  readonly declarations: Declarations;
};

export type StyledElement = {
  readonly name: string;
  readonly id?: string | undefined;
  readonly class?: string | undefined;
  readonly style?: string | undefined;
};

const mostRules = 20_000;
/** How many rules are tried for all elements of a page together, and each name in them. */
const mostTries = 500_000;

const noRules: readonly Rule[] = [];
const noDeclarations: Declarations = new Map();

const simple = /^([a-z][\w-]*)?((?:[.#][\w-]+)*)$/;

/** The rules of a page's own style sheets whose selectors are a tag, classes, an id, or these together. Others are not read. */
export class StyleRules {
  readonly #byKey = new Map<string, Rule[]>();
  #count = 0;
  #tries = 0;

  /** Whether the page has asked for more work than a page is worth: what comes after cannot be judged. */
  get isExhausted(): boolean {
    return this.#tries > mostTries || this.#count > mostRules;
  }

  add(sheet: string): void {
    // As old browsers were kept from showing a sheet: to others these are blanks.
    for (const { selectors, body } of blocksIn(plainCss(sheet).replaceAll(/<!--|-->/g, " "))) {
      const declarations = readDeclarations(body);
      if (declarations.size === 0) continue;
      for (const selector of selectors.split(",")) {
        this.#addRule(selector.trim(), declarations);
        if (this.isExhausted) return;
      }
    }
  }

  /** What applies to an element, with its own style. */
  styleOf(element: StyledElement): Declarations {
    const own = element.style === undefined ? undefined : readDeclarations(element.style);
    const rules = this.#rulesFor(element);
    if (rules.length === 0) return own ?? noDeclarations;
    const said = new Map<string, { value: string; isImportant: boolean }>();
    const inOrder = rules.toSorted((one, other) => one.weight - other.weight || one.order - other.order);
    for (const declarations of [...inOrder.map((rule) => rule.declarations), own ?? []])
      for (const [property, one] of declarations)
        if (one.isImportant || said.get(property)?.isImportant !== true) said.set(property, one);
    return said;
  }

  #addRule(selector: string, declarations: Declarations): void {
    const [, tag, rest = ""] = simple.exec(selector) ?? [];
    const parts = rest.match(/[.#][\w-]+/g) ?? [];
    const key = parts[0] ?? tag;
    if (key === undefined) return;
    this.#count += 1;
    const [ids, classes] = ["#", "."].map((mark) =>
      parts.filter((part) => part.startsWith(mark)).map((part) => part.slice(1)),
    ) as [string[], string[]];
    const weight = ids.length * 1e6 + classes.length * 1e3 + (tag === undefined ? 0 : 1);
    const list = this.#byKey.get(key);
    const rule = { tag, ids, classes, weight, order: this.#count, declarations };
    if (list === undefined) this.#byKey.set(key, [rule]);
    else list.push(rule);
  }

  #rulesFor({ name, id, class: given }: StyledElement): readonly Rule[] {
    if (this.#count === 0) return noRules;
    const ownId = id?.toLowerCase();
    const classes = new Set(given?.toLowerCase().split(/\s+/));
    const tried = [...(this.#byKey.get(name) ?? noRules)];
    if (ownId !== undefined) tried.push(...(this.#byKey.get(`#${ownId}`) ?? noRules));
    for (const one of classes) tried.push(...(this.#byKey.get(`.${one}`) ?? noRules));
    if (tried.length === 0) return noRules;
    for (const rule of tried) this.#tries += 1 + rule.ids.length + rule.classes.length;
    return tried.filter(
      (rule) =>
        (rule.tag === undefined || rule.tag === name) &&
        rule.ids.every((one) => one === ownId) &&
        rule.classes.every((one) => classes.has(one)),
    );
  }
}

/** The rules of a sheet that hold on a screen, whatever its size. */
function* blocksIn(sheet: string): Generator<{ readonly selectors: string; readonly body: string }> {
  const holding: boolean[] = [];
  let others = 0;
  const marks = /[{};]/g;
  let start = 0;
  for (let mark = marks.exec(sheet); mark !== null; mark = marks.exec(sheet)) {
    const words = sheet.slice(start, mark.index).trim();
    start = marks.lastIndex;
    if (mark[0] === "}" && holding.pop() === false) others -= 1;
    if (mark[0] !== "{") continue;
    if (words.startsWith("@")) {
      const holds = /^@(?:supports|layer)\b|^@media\s+(?:only\s+)?(?:screen|all)\s*$/.test(words);
      holding.push(holds);
      if (!holds) others += 1;
      continue;
    }
    const end = sheet.indexOf("}", start);
    const body = sheet.slice(start, end === -1 ? undefined : end);
    marks.lastIndex = start = end === -1 ? sheet.length : end + 1;
    if (others === 0) yield { selectors: words, body };
  }
}
