import { cutText } from "@spfunctions/contracts";
import { visibleText } from "../visible-text.ts";
import type { Attributes } from "./read-markup.ts";
import { TextWriter } from "./text-writer.ts";
import { words } from "./words.ts";

const blocks =
  words(`address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form
  header hgroup html legend li listing main menu nav ol optgroup option p pre search section select summary table tbody tfoot thead tr ul
  textarea caption xmp h1 h2 h3 h4 h5 h6`);
const spaced = words("p pre blockquote ul ol dl table h1 h2 h3 h4 h5 h6 figure");
/** Their lines are their own. */
const lined = words("pre textarea listing xmp");

const mostAlt = 100;
const mostLink = 500;
const mostBase = 2000;
const deepestIndent = 6;

/** How what is shown of a page stands in a text: headings, lists and tables as people type them, links with where they lead. */
export class TextLayout {
  readonly #writer: TextWriter;
  #base: string;
  #isBased = false;
  #lists: { readonly isOrdered: boolean; count: number }[] = [];
  #rows: { cells: number }[] = [];
  #lined = 0;

  constructor(url: string, most: number) {
    this.#base = url;
    this.#writer = new TextWriter(most);
  }

  get isFull(): boolean {
    return this.#writer.isFull;
  }

  text(): string {
    return this.#writer.text();
  }

  write(text: string): void {
    if (this.#lined > 0) this.#writer.writeLines(text);
    else this.#writer.write(text);
  }

  /** An element that encloses something; what is given back is its end. */
  begin(name: string, attributes: Attributes): (() => void) | undefined {
    const ends: (() => void)[] = [];
    if (blocks.has(name)) ends.push(this.#block(name));
    if (lined.has(name)) ends.push(this.#keepLines());
    if (/^h[1-6]$/.test(name)) ends.push(this.#mark(`${"#".repeat(Number(name[1]))} `));
    if (name === "ul" || name === "ol") ends.push(this.#list(name === "ol", attributes.get("start")));
    if (name === "li") ends.push(this.#item());
    if (name === "tr") ends.push(this.#row());
    if (name === "td" || name === "th") this.#cell();
    if (name === "a") ends.push(this.#link(attributes.get("href")));
    return ends.length === 0 ? undefined : () => ends.toReversed().forEach((end) => end());
  }

  /** One that encloses nothing. */
  put(name: string, attributes: Attributes): void {
    if (name === "br") this.#line();
    if (name === "hr") this.#writer.end(2);
    if (name !== "img") return;
    const alt = cutText(visibleText(attributes.get("alt") ?? "").trim(), mostAlt);
    if (alt !== "") this.#writer.write(` [image: ${alt}] `);
  }

  /** What the links of a page go by; the first word about it counts. */
  rebase(href: string | undefined): void {
    if (href === undefined || this.#isBased) return;
    this.#isBased = true;
    // It is read again for every link.
    if (href.length > mostBase || !URL.canParse(href, this.#base)) return;
    const { protocol, href: base } = new URL(href, this.#base);
    if (protocol === "http:" || protocol === "https:") this.#base = base;
  }

  /** In a cell, a line more is none: a row is a line. */
  #line(): void {
    if (this.#rows.length > 0 && this.#lined === 0) this.#writer.space();
    else this.#writer.end(1);
  }

  #block(name: string): () => void {
    const end = () => {
      if (name === "div" || name === "section" || name === "center") this.#line();
      else this.#writer.end(spaced.has(name) && this.#lists.length === 0 ? 2 : 1);
    };
    end();
    return end;
  }

  #keepLines(): () => void {
    this.#lined += 1;
    return () => (this.#lined -= 1);
  }

  #mark(mark: string, indent = ""): () => void {
    this.#writer.mark(mark, indent);
    return () => this.#writer.mark("");
  }

  #list(isOrdered: boolean, start: string | undefined): () => void {
    const outer = this.#lists;
    this.#lists = [
      ...outer.slice(-deepestIndent),
      { isOrdered, count: Number.parseInt(start ?? "1", 10) - 1 || 0 },
    ];
    return () => (this.#lists = outer);
  }

  #item(): () => void {
    const list = this.#lists.at(-1);
    if (list !== undefined) list.count += 1;
    const mark = list?.isOrdered === true ? `${list.count}. ` : "- ";
    return this.#mark(mark, "  ".repeat(Math.max(0, this.#lists.length - 1)));
  }

  #row(): () => void {
    const outer = this.#rows;
    this.#rows = [...outer.slice(-deepestIndent), { cells: 0 }];
    return () => (this.#rows = outer);
  }

  #cell(): void {
    const row = this.#rows.at(-1);
    if (row === undefined) return;
    row.cells += 1;
    if (row.cells > 1) this.#writer.write(" | ");
  }

  #link(href: string | undefined): () => void {
    const { length } = this.#writer;
    return () => {
      if (href === undefined || this.#writer.length === length) return;
      const target = linkTarget(href, this.#base);
      if (target !== undefined) this.#writer.write(` (${target})`);
    };
  }
}

/** Where a link leads that can be fetched; nothing for a place in the same page. */
function linkTarget(href: string, base: string): string | undefined {
  const said = href.trim();
  if (said === "" || said.startsWith("#") || said.length > mostLink || !URL.canParse(said, base))
    return undefined;
  const target = new URL(said, base);
  if (target.protocol !== "http:" && target.protocol !== "https:") return undefined;
  [target.username, target.password, target.hash] = ["", "", ""];
  return target.href.length > mostLink ? undefined : target.href;
}
