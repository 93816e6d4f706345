// Which elements are open, by the rules of HTML as far as they decide what a hidden element encloses: a page that leaves out end tags,
// crosses them or writes them where they do not count must not get text out of a hidden element that a browser keeps in it.
import type { Seen } from "./hiding-style.ts";
import { words } from "./words.ts";

export type OpenElement = {
  readonly name: string;
  readonly own: Seen;
  /** What it stops; found when it opens. */
  barrier?: number;
  /** Together with what it stands in. */
  isGone: boolean;
  isInvisible: boolean;
  isTiny: boolean;
  /** What is to be done at its end. */
  atEnd?: (() => void) | undefined;
};

const formatting = words("a b big code em font i nobr s small strike strong tt u");
const headings = words("h1 h2 h3 h4 h5 h6");
const cells = words("td th");
const rowGroups = words("tbody thead tfoot");
const blocks =
  words(`address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form
  header hgroup listing main menu nav ol pre search section summary ul`);
/** An open paragraph ends where one of these begins. */
const endingParagraphs = new Set([...blocks, ...headings, ...words("p li dd dt hr table xmp")]);
const special = new Set([
  ...endingParagraphs,
  ...cells,
  ...rowGroups,
  ...words(
    "applet body button caption head html iframe marquee noscript object select style script template textarea title tr",
  ),
]);
/** Formatting does not go on behind them. */
const containing = words("applet marquee object template td th caption");
const scope = words(
  "applet caption html table td th marquee object template foreignobject desc annotation-xml",
);

/** What a search for an open element ends at, as bits: how an element answers is found once, when it opens. */
const [inScope, inTable, inButton, inList, inSpecial] = [1, 2, 4, 8, 16] as const;
const barriers = new Map<string, number>();
for (const [bit, names] of [
  [inScope, scope],
  [inTable, words("html table template")],
  [inButton, [...scope, "button"]],
  [inList, [...scope, "ol", "ul"]],
  [inSpecial, special],
] as const)
  for (const name of names) barriers.set(name, (barriers.get(name) ?? 0) | bit);

/** Deeper than pages are. */
const mostOpen = 256;
/** Unclosed formatting begins again after the block that it stood in, unless as many are open that do the same. */
const mostAlike = 3;

export class OpenElements {
  readonly #open: OpenElement[] = [];
  readonly #counts = new Map<string, number>();

  get top(): OpenElement | undefined {
    return this.#open.at(-1);
  }

  get isTooDeep(): boolean {
    return this.#open.length > mostOpen;
  }

  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Ends what cannot go on where this begins. */
  makeRoomFor(name: string): void {
    if (endingParagraphs.has(name)) this.#closeIn("p", inButton);
    if (name === "li") this.#closeItem(["li"]);
    if (name === "dd" || name === "dt") this.#closeItem(["dd", "dt"]);
    if (name === "a") this.#closeFormatting("a");
    if (headings.has(name) && headings.has(this.top?.name ?? "")) this.#closeAt(this.#open.length - 1);
    if ((name === "option" || name === "optgroup") && this.top?.name === "option")
      this.#closeAt(this.#open.length - 1);
    if (name === "tr" || cells.has(name) || rowGroups.has(name))
      for (const cell of cells) this.#closeIn(cell, inTable);
    if (name === "tr" || rowGroups.has(name)) this.#closeIn("tr", inTable);
    if (rowGroups.has(name)) for (const group of rowGroups) this.#closeIn(group, inTable);
  }

  push(element: OpenElement): void {
    element.barrier ??= barriers.get(element.name) ?? 0;
    settle(element, this.top);
    this.#open.push(element);
    this.#counts.set(element.name, this.count(element.name) + 1);
  }

  close(name: string): void {
    if (!this.#has(name) || name === "body" || name === "html") return;
    if (formatting.has(name)) this.#closeFormatting(name);
    else if (cells.has(name) || rowGroups.has(name) || name === "tr" || name === "table")
      this.#closeIn(name, inTable);
    else if (name === "p") this.#closeIn(name, inButton);
    else if (name === "li") this.#closeIn(name, inList);
    else if (headings.has(name)) this.#closeIn(name, inScope);
    else if (special.has(name)) this.#closeIn(name, name === "template" ? 0 : inScope);
    else this.#closeIn(name, inSpecial);
  }

  #has(name: string): boolean {
    return this.count(name) > 0;
  }

  #closeIn(name: string, barrier: number): void {
    const at = this.#find(name, barrier);
    if (at !== -1) this.#closeAt(at);
  }

  /** Where the nearest one of a name stands, unless something stands before it that stops the search. */
  #find(name: string, barrier: number): number {
    if (!this.#has(name)) return -1;
    for (let at = this.#open.length - 1; at >= 0; at--) {
      const one = this.#open[at];
      if (one?.name === name) return at;
      if (((one?.barrier ?? 0) & barrier) !== 0) return -1;
    }
    return -1;
  }

  #closeItem(names: readonly string[]): void {
    if (!names.some((name) => this.#has(name))) return;
    const at = this.#open.findLastIndex(
      ({ name }) =>
        names.includes(name) || (special.has(name) && name !== "address" && name !== "div" && name !== "p"),
    );
    if (names.includes(this.#open[at]?.name ?? "")) this.#closeAt(at);
  }

  /** A block inside it goes on, outside of it. */
  #closeFormatting(name: string): void {
    const at = this.#find(name, inScope);
    if (at === -1) return;
    if (!this.#open.slice(at + 1).some((one) => special.has(one.name))) return this.#closeAt(at);
    const [element] = this.#open.splice(at, 1);
    if (element !== undefined) this.#ended(element);
    for (let next = at; next < this.#open.length; next++)
      settle(this.#open[next] as OpenElement, this.#open[next - 1]);
  }

  /** Formatting that was not closed itself begins again, unless it began in a cell that has ended. */
  #closeAt(at: number): void {
    const ended = this.#open.splice(at);
    for (const element of ended.toReversed()) this.#ended(element);
    for (const element of ended) {
      if (containing.has(element.name)) return;
      const isAgain = element !== ended[0] && formatting.has(element.name);
      if (isAgain && this.#alike(element) < mostAlike) this.push(element);
    }
  }

  #alike({ name, own }: OpenElement): number {
    return this.#open.filter(
      (one) =>
        one.name === name &&
        one.own.isGone === own.isGone &&
        one.own.isInvisible === own.isInvisible &&
        one.own.isTiny === own.isTiny,
    ).length;
  }

  #ended(element: OpenElement): void {
    this.#counts.set(element.name, this.count(element.name) - 1);
    element.atEnd?.();
    element.atEnd = undefined;
  }
}

function settle(element: OpenElement, around: OpenElement | undefined): void {
  const { own } = element;
  element.isGone = own.isGone || around?.isGone === true;
  element.isInvisible = own.isInvisible ?? around?.isInvisible ?? false;
  element.isTiny = own.isTiny ?? around?.isTiny ?? false;
}
