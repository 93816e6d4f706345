// Nothing reaches a screen except through here: text is made visible first and coloured after.
import { styleText } from "node:util";
import type { CliIo } from "./cli-io.ts";
import { visible, visibleJson } from "./visible-text.ts";
import { withoutHeldSecrets } from "./without-held-secrets.ts";

type Style = "bold" | "dim" | "green" | "red" | "yellow";
/** A piece of a line; only what is styled here is ever coloured. */
export type Part = string | { readonly text: string; readonly style: Style | Style[] };

/** A picture and its colour: what the next piece of a line may be joined to. */
const longestShaping = 4;

export type Printer = {
  /** A line for whoever wants the answer. */
  readonly out: (...parts: readonly Part[]) => void;
  /** A line beside the answer. */
  readonly err: (...parts: readonly Part[]) => void;
  /** A piece of such a line, for whoever watches it grow. */
  readonly piece: (part: Part) => void;
  /** A value, on one line or indented. */
  readonly json: (value: unknown, indent?: number) => void;
  /** Text of our own that has its own lines. */
  readonly page: (text: string, to: "stdout" | "stderr") => void;
};

export function createPrinter({ stdout, stderr, isTerminal, env }: CliIo): Printer {
  const isPlain = (env.NO_COLOR ?? "") !== "";
  const line = (parts: readonly Part[], isColoured: boolean) =>
    `${withoutHeldSecrets(parts.map((part) => shown(part, isColoured && !isPlain)).join(""))}\n`;
  /** The end of the line that grows. */
  let before = "";
  return {
    out: (...parts) => stdout(line(parts, isTerminal.stdout)),
    err: (...parts) => {
      before = "";
      stderr(line(parts, isTerminal.stderr));
    },
    piece: (part) => {
      stderr(withoutHeldSecrets(shown(part, isTerminal.stderr && !isPlain, before)));
      before = `${before}${textOf(part)}`.slice(-longestShaping);
    },
    json: (value, indent) => stdout(`${withoutHeldSecrets(visibleJson(value, indent))}\n`),
    page: (text, to) => (to === "stdout" ? stdout : stderr)(withoutHeldSecrets(text)),
  };
}

function shown(part: Part, isColoured: boolean, before = ""): string {
  const text = visible(textOf(part), before);
  // Which stream it is for was decided above.
  return isColoured && typeof part !== "string"
    ? styleText(part.style, text, { validateStream: false })
    : text;
}

function textOf(part: Part): string {
  return typeof part === "string" ? part : part.text;
}
