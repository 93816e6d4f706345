// B33: one machine reads what a model says, whole or in pieces: what may be shown, and what stands in blocks. It works unit by unit, so that
// no cut can make a difference; what it cannot tell yet, it holds back.
import { type BlankGap, gapText, isBlank, joinGaps, noGap, widenGap } from "./blank-gap.ts";
import type { KnownRows } from "./code-span.ts";
import { MarkdownCode } from "./markdown-code.ts";
import type { BlockKind } from "./markers.ts";
import { begins, closers, mayBegin, type Token, tokens } from "./spoken-tokens.ts";

/** Is told of blocks as they come. */
export type BlockListener = {
  opened(kind: BlockKind): void;
  /** A piece of what stands in the block that is open. */
  wrote(piece: string): void;
  closed(): void;
  /** Reasoning has ended that had no beginning: all before it was reasoning. */
  reasoned(): void;
};

const nobody: BlockListener = { opened() {}, wrote() {}, closed() {}, reasoned() {} };

/** From a token that stands after unmatched backticks, until it is clear whether they are matched. */
type Doubt = ReturnType<MarkdownCode["lookAhead"]> & { readonly from: number; text: string };

/**
 * What people see of a model's text: no block, no marker, no reasoning, not even for a moment. Code is shown as it is, with whatever stands
 * in it. A text with nothing to take out is shown unchanged.
 */
export class VisibleStream {
  readonly #listener: BlockListener;
  #code = new MarkdownCode();
  /** The block or the reasoning that we are in. */
  #inside: Token | undefined;
  #awaited: readonly Token[] = tokens;
  /** The beginning of a token, perhaps. */
  #held = "";
  #doubt: Doubt | undefined;
  #at = 0;
  #out = "";
  /** Half of a character is not shown. */
  #half = "";
  #isAnythingShown = false;
  /** White space that is not shown yet, and the white space before what was last taken out. */
  #gap: BlankGap = noGap;
  #gapBefore: BlankGap | undefined;

  constructor(listener: BlockListener = nobody) {
    this.#listener = listener;
  }

  /** Takes the next piece; answers what may be shown now, which may be nothing. */
  push(piece: string): string {
    for (let index = 0; index < piece.length; index++) this.#take(piece.charAt(index), this.#at++);
    const out = this.#half + this.#out;
    const last = out.charCodeAt(out.length - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    this.#half = isHalf ? out.slice(-1) : "";
    this.#out = "";
    return isHalf ? out.slice(0, -1) : out;
  }

  /** No more comes: answers the rest. */
  end(): string {
    if (this.#doubt !== undefined) {
      this.#doubt.ahead.meet("");
      this.#settleDoubt(this.#doubt, this.#at);
    }
    this.#releaseHeld(this.#at);
    const rest = this.#gapBefore === undefined ? gapText(this.#gap) : "";
    const out = this.#half + this.#out + rest;
    this.#half = "";
    this.#out = "";
    this.#gap = noGap;
    return out;
  }

  #take(unit: string, at: number): void {
    if (this.#doubt !== undefined) this.#takeInDoubt(this.#doubt, unit, at);
    else if (this.#held === "" && (!mayBegin(unit) || this.#isCode(unit))) this.#takePlain(unit, at);
    else this.#takeHeld(this.#held + unit, at);
  }

  #isCode(unit: string): boolean {
    if (this.#inside !== undefined) return false;
    this.#code.meet(unit);
    return this.#code.shield === "code";
  }

  #takeHeld(said: string, at: number): void {
    // No token is the beginning of another.
    const token = this.#awaited.find((one) => begins(one, said));
    if (token?.text.length === said.length) this.#takeToken(token, said, at);
    else if (token !== undefined) this.#held = said;
    else {
      // Every token begins with a bracket: what comes before the next one is none.
      const next = bracketIn(said, 1);
      const none = next === -1 ? said : said.slice(0, next);
      this.#held = "";
      for (let index = 0; index < none.length; index++) {
        this.#takePlain(none.charAt(index), at - said.length + 1 + index);
      }
      if (next !== -1) this.#takeHeld(said.slice(next), at);
    }
  }

  #takeToken(token: Token, said: string, at: number): void {
    this.#held = "";
    if (this.#inside !== undefined) {
      if (this.#inside.type === "begin") this.#listener.closed();
      this.#inside = undefined;
      this.#awaited = tokens;
    } else if (this.#code.shield === "perhaps") {
      this.#doubt = { ...this.#code.lookAhead(), from: at - said.length + 1, text: "" };
      for (let index = 0; index < said.length; index++) {
        this.#takeInDoubt(this.#doubt, said.charAt(index), this.#doubt.from + index);
      }
    } else this.#takeOut(token);
  }

  #takeOut(token: Token): void {
    this.#gapBefore = this.#gapBefore === undefined ? this.#gap : joinGaps(this.#gapBefore, this.#gap);
    this.#gap = noGap;
    this.#code.skip();
    if (token.type === "thought") this.#listener.reasoned();
    // An end of a block that was not begun: nothing, but it is not shown either.
    if (token.type === "thought" || token.type === "end") return;
    if (token.type === "begin") this.#listener.opened(token.kind);
    this.#inside = token;
    this.#awaited = closers(token);
  }

  #takeInDoubt(doubt: Doubt, unit: string, at: number): void {
    // What ends the backticks may itself be the first of a token.
    doubt.ahead.meet(unit);
    if (doubt.span.state !== "open") {
      this.#settleDoubt(doubt, at);
      this.#take(unit, at);
      return;
    }
    doubt.text += unit;
    doubt.ahead.feed(unit, at);
    if (doubt.span.state !== "open") this.#settleDoubt(doubt, at + 1);
  }

  /** Matched, everything since the token is code; otherwise it is read again, with what we know by now of the backticks in it. */
  #settleDoubt({ ahead, span, rows, from, text }: Doubt, until: number): void {
    this.#doubt = undefined;
    if (span.state === "closed") {
      this.#code = ahead;
      this.#show(text);
      return;
    }
    const known: KnownRows = { until, last: rows };
    this.#code.unmatch(known);
    for (let index = 0; index < text.length; index++) this.#take(text.charAt(index), from + index);
  }

  #takePlain(unit: string, at: number): void {
    if (this.#inside !== undefined) {
      if (this.#inside.type === "begin") this.#listener.wrote(unit);
      return;
    }
    this.#code.feed(unit, at);
    if (isBlank(unit) && this.#code.shield !== "code") this.#gap = widenGap(this.#gap, unit);
    else this.#show(unit);
  }

  #show(text: string): void {
    this.#out += this.#gapToShow() + text;
    this.#gap = noGap;
    this.#gapBefore = undefined;
    this.#isAnythingShown = true;
  }

  #gapToShow(): string {
    if (this.#gapBefore === undefined) return gapText(this.#gap);
    const joined = joinGaps(this.#gapBefore, this.#gap);
    // At the very beginning only the indentation is left.
    if (!this.#isAnythingShown) return joined.lines > 0 ? joined.last : this.#gapBefore.last;
    // Never nothing: the halves of a marker around what was taken out must not become one.
    return gapText(joined) || " ";
  }

  #releaseHeld(at: number): void {
    const held = this.#held;
    this.#held = "";
    for (let index = 0; index < held.length; index++) {
      this.#takePlain(held.charAt(index), at - held.length + index);
    }
  }
}

/** Where the first bracket is that a token may begin with. */
function bracketIn(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (mayBegin(text.charAt(at))) return at;
  return -1;
}
