// What a page says to whoever looks at it, as text for a model. What it says to nobody who looks is left out: that is where others put
// words for models. A page can always hide text in a way that only a whole browser would see; the usual ways do not work.
import { cutText } from "@spfunctions/contracts";
import { visibleText } from "../visible-text.ts";
import { hidingStyle, type Seen } from "./hiding-style.ts";
import { type OpenElement, OpenElements } from "./open-elements.ts";
import { type Attributes, readMarkup } from "./read-markup.ts";
import { readStyles } from "./read-styles.ts";
import type { StyleRules } from "./style-rules.ts";
import { TextWriter } from "./text-writer.ts";

export type HtmlText = { readonly text: string; readonly title?: string; readonly truncated: boolean };

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Never shown, or not as text. */
const dropped =
  words(`script style template noscript title iframe object embed audio video canvas svg datalist noembed noframes
  annotation annotation-xml rp`);
/** Nothing in them is a tag. */
const raw = words("script style noscript title textarea xmp iframe noembed noframes");
const empty = words("area base br col embed hr img input link meta param source track wbr");
const foreign = ["svg", "math"];
const blocks =
  words(`address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form
  header hgroup html legend li listing main menu nav ol optgroup option p pre search section select summary table tbody tfoot thead tr ul
  textarea caption xmp h1 h2 h3 h4 h5 h6`);
const spaced = words("p pre blockquote ul ol dl table h1 h2 h3 h4 h5 h6 figure");
const lined = ["pre", "textarea", "listing", "xmp"];

const mostTitle = 300;
const mostAlt = 100;
const mostLink = 500;
const deepestIndent = 6;

export async function htmlText(
  markup: string,
  { url, most, signal }: { readonly url: string; readonly most: number; readonly signal: AbortSignal },
): Promise<HtmlText> {
  const rules = await readStyles(markup, signal);
  const page = new PageText(rules, url, most);
  await readMarkup(
    markup,
    {
      open: (name, attributes, isSelfClosing) => page.open(name, attributes, isSelfClosing),
      close: (name) => page.close(name),
      text: (text) => page.write(text),
      isDone: () => page.isDone,
    },
    signal,
  );
  return page.end();
}

class PageText {
  readonly #open = new OpenElements();
  readonly #rules: StyleRules;
  readonly #writer: TextWriter;
  readonly #most: number;
  #base: string;
  #title = "";
  #isTitleRead = false;
  #lists: { readonly isOrdered: boolean; count: number }[] = [];
  #rows: { cells: number }[] = [];

  constructor(rules: StyleRules, url: string, most: number) {
    this.#rules = rules;
    this.#base = url;
    this.#most = most;
    this.#writer = new TextWriter(most);
  }

  /** Where it cannot be followed any more what is hidden, it ends. */
  get isDone(): boolean {
    return this.#writer.isFull || this.#open.isTooDeep || this.#rules.isExhausted;
  }

  open(name: string, attributes: Attributes, isSelfClosing: boolean): void {
    if (this.isDone || raw.has(this.#open.top?.name ?? "")) return;
    this.#open.makeRoomFor(name);
    const own = this.#seen(name, attributes);
    if (empty.has(name)) return this.#empty(name, attributes, own);
    const element: OpenElement = { name, own, isGone: false, isInvisible: false, isTiny: false };
    if (isSelfClosing && foreign.some((one) => one === name || this.#open.count(one) > 0)) return;
    this.#open.push(element);
    if (isShown(element)) this.#begin(element, attributes);
  }

  close(name: string): void {
    const { top } = this.#open;
    if (this.isDone || (raw.has(top?.name ?? "") && top?.name !== name)) return;
    if (name === "title" && this.#title.trim() !== "") this.#isTitleRead = true;
    this.#open.close(name);
  }

  write(text: string): void {
    const { top } = this.#open;
    if (this.isDone) return;
    if (top?.name === "title" && !this.#isTitleRead && this.#open.count("svg") === 0) this.#title += text;
    if (top !== undefined && !isShown(top)) return;
    if (top !== undefined && lined.some((name) => this.#open.count(name) > 0)) this.#writer.writeLines(text);
    else this.#writer.write(text);
  }

  end(): HtmlText {
    const text = this.#writer.text();
    const title = cutText(visibleText(this.#title).replaceAll(/\s+/g, " ").trim(), mostTitle);
    return {
      text: cutText(text, this.#most),
      ...(title !== "" && { title }),
      truncated: this.isDone,
    };
  }

  #seen(name: string, attributes: Attributes): Seen {
    if (dropped.has(name)) return { isGone: true };
    // Pages hide all of themselves until a script has run.
    if (name === "html" || name === "body") return { isGone: false };
    const isGone =
      attributes.has("hidden") ||
      attributes.has("popover") ||
      attributes.get("aria-hidden")?.trim().toLowerCase() === "true" ||
      (name === "dialog" && !attributes.has("open"));
    if (isGone) return { isGone };
    return hidingStyle(
      this.#rules.styleOf({
        name,
        id: attributes.get("id"),
        class: attributes.get("class"),
        style: attributes.get("style"),
      }),
    );
  }

  #empty(name: string, attributes: Attributes, own: Seen): void {
    const { top } = this.#open;
    if (name === "base") this.#rebase(attributes.get("href"));
    const isHidden = own.isGone || own.isInvisible === true || (top !== undefined && !isShown(top));
    if (isHidden) return;
    if (name === "br") this.#line();
    if (name === "hr") this.#writer.end(2);
    if (name !== "img") return;
    const alt = cutText(visibleText(attributes.get("alt") ?? "").trim(), mostAlt);
    if (alt !== "") this.#writer.write(` [image: ${alt}] `);
  }

  /** Whoever shows links shows where they lead. */
  #rebase(href: string | undefined): void {
    if (href === undefined || !URL.canParse(href, this.#base)) return;
    const { protocol, href: base } = new URL(href, this.#base);
    if (protocol === "http:" || protocol === "https:") this.#base = base;
  }

  /** In a cell, a line more is none: a row is a line. */
  #line(): void {
    if (this.#rows.length > 0 && this.#open.count("pre") === 0) this.#writer.space();
    else this.#writer.end(1);
  }

  #begin(element: OpenElement, attributes: Attributes): void {
    const { name } = element;
    const ends: (() => void)[] = [];
    if (blocks.has(name)) ends.push(this.#block(name));
    if (/^h[1-6]$/.test(name)) ends.push(this.#mark(`${"#".repeat(Number(name[1]))} `));
    if (name === "ul" || name === "ol") ends.push(this.#list(name === "ol", attributes.get("start")));
    if (name === "li") ends.push(this.#item());
    if (name === "tr") ends.push(this.#row());
    if (name === "td" || name === "th") this.#cell();
    if (name === "a") ends.push(this.#link(attributes.get("href")));
    if (ends.length > 0) element.atEnd = () => ends.toReversed().forEach((end) => end());
  }

  #block(name: string): () => void {
    const end = () => {
      if (name === "div" || name === "section" || name === "center") this.#line();
      else this.#writer.end(spaced.has(name) && this.#lists.length === 0 ? 2 : 1);
    };
    end();
    return end;
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

function isShown({ isGone, isInvisible, isTiny }: OpenElement): boolean {
  return !isGone && !isInvisible && !isTiny;
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
