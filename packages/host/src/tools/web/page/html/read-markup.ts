import { setImmediate } from "node:timers/promises";
import { Tokenizer } from "htmlparser2";

export type Attributes = ReadonlyMap<string, string>;

export type MarkupReader = {
  readonly open: (name: string, attributes: Attributes, isSelfClosing: boolean) => void;
  readonly close: (name: string) => void;
  readonly text: (text: string) => void;
  /** Nothing more is wanted. */
  readonly isDone: () => boolean;
};

/** What is read at once, before others have their turn. */
const pieceChars = 32_768;

const ignore = () => {};

/** Reads a page piece by piece. No nesting makes it deeper, and a signal ends it. */
export async function readMarkup(markup: string, reader: MarkupReader, signal: AbortSignal): Promise<void> {
  let [tag, attribute, value] = ["", "", ""];
  let attributes = new Map<string, string>();
  const ended = (isSelfClosing: boolean) => {
    reader.open(tag, attributes, isSelfClosing);
    attributes = new Map();
  };
  const tokenizer = new Tokenizer(
    {},
    {
      onopentagname: (start, end) => (tag = markup.slice(start, end).toLowerCase()),
      onattribname: (start, end) => (attribute = markup.slice(start, end).toLowerCase()),
      onattribdata: (start, end) => (value += markup.slice(start, end)),
      onattribentity: (code) => (value += String.fromCodePoint(code)),
      onattribend: () => {
        // The first one counts.
        if (!attributes.has(attribute)) attributes.set(attribute, value);
        value = "";
      },
      onopentagend: () => ended(false),
      onselfclosingtag: () => ended(true),
      onclosetag: (start, end) => {
        // With something between, it is a comment.
        if (markup[start - 1] !== "/") return;
        reader.close(markup.slice(start, end).toLowerCase().split("/", 1)[0] ?? "");
      },
      ontext: (start, end) => reader.text(markup.slice(start, end)),
      ontextentity: (code) => reader.text(String.fromCodePoint(code)),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  );
  for (let at = 0; at < markup.length && !reader.isDone(); at += pieceChars) {
    tokenizer.write(markup.slice(at, at + pieceChars));
    // oxlint-disable-next-line no-await-in-loop -- others have their turn
    await setImmediate();
    signal.throwIfAborted();
  }
  if (!reader.isDone()) tokenizer.end();
}
