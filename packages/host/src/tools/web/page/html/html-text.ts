// What a page says to whoever looks at it, as text for a model. What it says to nobody who looks is left out: that is where others put
// words for models. A page can always hide text in a way that only a whole browser would see; the usual ways do not work.
import { cutText } from "@spfunctions/contracts";
import { visibleText } from "../visible-text.ts";
import { hidingStyle, type Seen } from "./hiding-style.ts";
import { type OpenElement, OpenElements } from "./open-elements.ts";
import { type Attributes, readMarkup } from "./read-markup.ts";
import { readStyles } from "./read-styles.ts";
import type { StyleRules } from "./style-rules.ts";
import { TextLayout } from "./text-layout.ts";
import { words } from "./words.ts";

export type HtmlText = { readonly text: string; readonly title?: string; readonly truncated: boolean };

/** Never shown, or not as text. */
const dropped =
  words(`script style template noscript title iframe object audio video canvas svg datalist noembed noframes annotation
  annotation-xml rp`);
/** Nothing in them is a tag. */
const raw = words("script style noscript title textarea xmp iframe noembed noframes");
const empty = words("area base br col embed hr img input link meta param source track wbr");
const foreign = ["svg", "math"];

const mostTitle = 300;

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
  readonly #layout: TextLayout;
  readonly #most: number;
  #title = "";
  #isTitleRead = false;

  constructor(rules: StyleRules, url: string, most: number) {
    this.#rules = rules;
    this.#most = most;
    this.#layout = new TextLayout(url, most);
  }

  /** Where it cannot be followed any more what is hidden, it ends. */
  get isDone(): boolean {
    return this.#layout.isFull || this.#open.isTooDeep || this.#rules.isExhausted;
  }

  open(name: string, attributes: Attributes, isSelfClosing: boolean): void {
    if (this.isDone || raw.has(this.#open.top?.name ?? "")) return;
    this.#open.makeRoomFor(name);
    const own = this.#seen(name, attributes);
    if (empty.has(name)) return this.#empty(name, attributes, own);
    const element: OpenElement = { name, own, isGone: false, isInvisible: false, isTiny: false };
    if (isSelfClosing && foreign.some((one) => one === name || this.#open.count(one) > 0)) return;
    this.#open.push(element);
    if (isShown(element)) element.atEnd = this.#layout.begin(name, attributes);
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
    if (top === undefined || isShown(top)) this.#layout.write(text);
  }

  end(): HtmlText {
    const title = cutText(visibleText(this.#title).replaceAll(/\s+/g, " ").trim(), mostTitle);
    return {
      text: cutText(this.#layout.text(), this.#most),
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
    if (name === "base") this.#layout.rebase(attributes.get("href"));
    const isHidden = own.isGone || own.isInvisible === true || (top !== undefined && !isShown(top));
    if (!isHidden) this.#layout.put(name, attributes);
  }
}

function isShown({ isGone, isInvisible, isTiny }: OpenElement): boolean {
  return !isGone && !isInvisible && !isTiny;
}
