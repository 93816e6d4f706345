// Nothing reaches a screen except through here: text is made visible first, coloured after, and broken at the edge of a terminal at last.
import { styleText } from "node:util";
import type { CliIo } from "./cli-io.ts";
import { TerminalLine } from "./terminal-line.ts";
import { widthOf } from "./text-width.ts";
import { visible, visibleJson } from "./visible-text.ts";
import { withoutHeldSecrets } from "./without-held-secrets.ts";

type Style = "bold" | "dim" | "green" | "red" | "yellow";
/** A piece of a line; only what is styled here is ever coloured. */
export type Part =
  | string
  | {
      readonly text: string;
      readonly style?: Style | Style[];
      /** Where the line is broken, every row of it begins with this. */
      readonly isOnEveryRow?: true;
      /** It is never broken. */
      readonly isWhole?: true;
    };

/** A line of ours with a command to copy: a terminal may break it itself. Nothing that others say belongs here. */
export function whole(text: string): Part {
  return { text, isWhole: true };
}

/** What a row begins with on which the line above goes on. No line does. */
const goesOn = "↳ ";
/** A picture and its colour: what the next piece of a line may be joined to. */
const longestShaping = 4;

export type Printer = {
  /** A line for whoever wants the answer. */
  readonly out: (...parts: readonly Part[]) => void;
  /** A line beside the answer. */
  readonly err: (...parts: readonly Part[]) => void;
  /** A piece of such a line, for whoever watches it grow. */
  readonly piece: (part: Part) => void;
  /** A question beside the answer: whoever answers ends its line. */
  readonly ask: (part: Part) => void;
  /** A value for programs, on one line or indented. */
  readonly json: (value: unknown, indent?: number) => void;
  /** Text of our own that has its own lines. */
  readonly page: (text: string, to: "stdout" | "stderr") => void;
};

export function createPrinter(io: CliIo): Printer {
  const { stdout, stderr, isTerminal, env } = io;
  const isPlain = (env.NO_COLOR ?? "") !== "";
  const show = (part: Part, to: keyof CliIo["isTerminal"], before = "") =>
    shown(part, isTerminal[to] && !isPlain, before);
  const begun = (parts: readonly Part[], to: keyof CliIo["isTerminal"]) => {
    const isBroken = isTerminal[to] && !parts.some((part) => typeof part !== "string" && part.isWhole);
    // Some terminals say that they have none.
    const columns = (isBroken && io.columns) || Infinity;
    const mark = parts.find((part) => typeof part !== "string" && part.isOnEveryRow);
    return new TerminalLine(columns, mark === undefined ? marginOf(parts, columns) : show(mark, to));
  };
  const textFor = (parts: readonly Part[], to: keyof CliIo["isTerminal"]) =>
    withoutHeldSecrets(parts.map((part) => show(part, to)).join(""));
  const line = (parts: readonly Part[], to: keyof CliIo["isTerminal"]) => {
    // What has a mark may as well have grown, and is broken as if it had.
    const isMarked = parts.some((part) => typeof part !== "string" && part.isOnEveryRow);
    const at = begun(parts, to);
    return `${isMarked ? at.add(textFor(parts, to)) : at.addWords(textFor(parts, to))}\n`;
  };
  /** The line that grows, and its end. */
  let growing: TerminalLine | undefined;
  let before = "";
  const piece = (part: Part) => {
    growing ??= begun([part], "stderr");
    stderr(growing.add(withoutHeldSecrets(show(part, "stderr", before))));
    before = `${before}${textOf(part)}`.slice(-longestShaping);
  };
  const endGrowing = () => {
    growing = undefined;
    before = "";
  };
  return {
    out: (...parts) => stdout(line(parts, "stdout")),
    err: (...parts) => {
      stderr(growing === undefined ? line(parts, "stderr") : `${growing.add(textFor(parts, "stderr"))}\n`);
      endGrowing();
    },
    piece,
    ask: (part) => {
      piece(part);
      endGrowing();
    },
    json: (value, indent) => stdout(`${withoutHeldSecrets(visibleJson(value, indent))}\n`),
    page: (text, to) => (to === "stdout" ? stdout : stderr)(withoutHeldSecrets(text)),
  };
}

/** Below its last part, or where that is all of it, below its first letter; half of the terminal stays for what is said. */
function marginOf(parts: readonly Part[], columns: number): string {
  const texts = parts.map(textOf);
  const [blank = ""] = /^ */.exec(texts[0] ?? "") ?? [];
  const head = texts.length > 1 ? visible(texts.slice(0, -1).join("")) : blank;
  return " ".repeat(Math.min(widthOf(head), Math.max(0, Math.floor(columns / 2) - goesOn.length))) + goesOn;
}

function shown(part: Part, isColoured: boolean, before: string): string {
  const text = visible(textOf(part), before);
  if (!isColoured || typeof part === "string" || part.style === undefined) return text;
  // Which stream it is for was decided above.
  return styleText(part.style, text, { validateStream: false });
}

function textOf(part: Part): string {
  return typeof part === "string" ? part : part.text;
}
