// Which elements are open, by the rules of HTML as far as they decide what a hidden element encloses: a page that leaves out end tags,
// crosses them or writes them where they do not count must not get text out of a hidden element that a browser keeps in it.
import type { Seen } from "./hiding-style.ts";

export type OpenElement = {
  readonly name: string;
  readonly own: Seen;
  /** Together with what it stands in. */
  isGone: boolean;
  isInvisible: boolean;
  isTiny: boolean;
  /** What is to be done at its end. */
  atEnd?: (() => void) | undefined;
};

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

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
const scope = words(
  "applet caption html table td th marquee object template foreignobject desc annotation-xml",
);
const tableScope = words("html table template");
const buttonScope = new Set([...scope, "button"]);
const listScope = new Set([...scope, ...words("ol ul")]);
const none: ReadonlySet<string> = new Set();

/** Deeper than any page, and as deep as browsers go. */
const mostOpen = 512;
/** Of unclosed formatting that looks the same, as many begin again after the block that they stood in. */
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

  nearest(name: string): OpenElement | undefined {
    return this.#has(name) ? this.#open.findLast((one) => one.name === name) : undefined;
  }

  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Ends what cannot go on where this begins. */
  makeRoomFor(name: string): void {
    if (endingParagraphs.has(name)) this.#closeIn("p", buttonScope);
    if (name === "li") this.#closeItem(["li"]);
    if (name === "dd" || name === "dt") this.#closeItem(["dd", "dt"]);
    if (name === "a") this.#closeFormatting("a");
    if (headings.has(name) && headings.has(this.top?.name ?? "")) this.#closeAt(this.#open.length - 1);
    if ((name === "option" || name === "optgroup") && this.top?.name === "option")
      this.#closeAt(this.#open.length - 1);
    if (name === "tr" || cells.has(name) || rowGroups.has(name))
      for (const cell of cells) this.#closeIn(cell, tableScope);
    if (name === "tr" || rowGroups.has(name)) this.#closeIn("tr", tableScope);
    if (rowGroups.has(name)) for (const group of rowGroups) this.#closeIn(group, tableScope);
  }

  push(element: OpenElement): void {
    settle(element, this.top);
    this.#open.push(element);
    this.#counts.set(element.name, this.count(element.name) + 1);
  }

  close(name: string): void {
    if (!this.#has(name) || name === "body" || name === "html") return;
    if (formatting.has(name)) this.#closeFormatting(name);
    else if (cells.has(name) || rowGroups.has(name) || name === "tr" || name === "table")
      this.#closeIn(name, tableScope);
    else if (name === "p") this.#closeIn(name, buttonScope);
    else if (name === "li") this.#closeIn(name, listScope);
    else if (headings.has(name)) this.#closeIn(name, scope);
    else if (special.has(name)) this.#closeIn(name, name === "template" ? none : scope);
    else this.#closeIn(name, special);
  }

  #has(name: string): boolean {
    return this.count(name) > 0;
  }

  #closeIn(name: string, barriers: ReadonlySet<string>): void {
    if (!this.#has(name)) return;
    const at = this.#open.findLastIndex((one) => one.name === name || barriers.has(one.name));
    if (at !== -1 && this.#open[at]?.name === name) this.#closeAt(at);
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
    if (!this.#has(name)) return;
    const at = this.#open.findLastIndex((one) => one.name === name || scope.has(one.name));
    if (this.#open[at]?.name !== name) return;
    if (!this.#open.slice(at + 1).some((one) => special.has(one.name))) return this.#closeAt(at);
    const [element] = this.#open.splice(at, 1);
    if (element !== undefined) this.#ended(element);
    for (let next = at; next < this.#open.length; next++)
      settle(this.#open[next] as OpenElement, this.#open[next - 1]);
  }

  /** Formatting that was not closed itself begins again, except where a cell ends. */
  #closeAt(at: number): void {
    const ended = this.#open.splice(at);
    for (const element of ended.toReversed()) this.#ended(element);
    if (ended.length === 1 || scope.has(ended[0]?.name ?? "")) return;
    const alike = new Map<string, number>();
    const again = ended.slice(1).filter(({ name, own }) => {
      if (!formatting.has(name)) return false;
      const look = `${name} ${own.isGone} ${own.isInvisible} ${own.isTiny}`;
      alike.set(look, (alike.get(look) ?? 0) + 1);
      return (alike.get(look) ?? 0) <= mostAlike;
    });
    for (const element of again) this.push(element);
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
