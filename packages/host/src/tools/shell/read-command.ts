// B27: one simple command of literal words, or nothing. What comes out is what bash would pass to the program: each word is decoded here
// from its quotes, and has to be what the parser read too. Whatever is not known to be literal is refused, not guessed.
import { type Command, parse, type ParsedScript, type Word, type WordPart } from "unbash";
import { refusal, shown } from "./refusal.ts";
import { refuseText } from "./refuse-text.ts";

/**
 * Words of a command.
 * @limit shell.words | `sandbox_denied`, reason `too_long` | fixed: no command that looks at files needs more
 */
const maxWords = 256;

export type Argv = readonly [name: string, ...words: string[]];

/** Reads the text of a command into its words, or throws `sandbox_denied` saying what cannot be in it. */
export function readCommand(text: string): Argv {
  refuseText(text);
  const { name, suffix } = commandOf(parsed(text));
  const words = suffix.map((word) => {
    if (word.type === "Word") return word;
    throw word.type === "Assignment"
      ? notLiteral("a variable is set", "there are no variables")
      : notOne(
          "it redirects",
          "what a command prints is returned, and there is nothing else to connect it to",
        );
  });
  if (name === undefined) throw notOne("it names no command");
  const all = [name, ...words];
  if (all.length > maxWords)
    throw refusal("too_long", `a command has at most ${maxWords} words, this has ${all.length}`);
  requireNothingBetween(text, all);
  return all.map((word) => literalOf(text, word)) as unknown as Argv;
}

function parsed(text: string): ParsedScript {
  try {
    return parse(text);
  } catch (cause) {
    throw refusal("not_one_command", "this cannot be read as a command", cause);
  }
}

function commandOf({ commands, errors }: ParsedScript): Command {
  const [error] = errors ?? [];
  if (error !== undefined)
    throw refusal("not_one_command", `this cannot be read as a command: ${error.message}`);
  const [statement, another] = commands;
  if (statement === undefined) throw notOne("it is empty");
  if (another !== undefined) throw notOne("there are more than one");
  if (statement.background === true) throw notOne("it would go on in the background");
  const { command } = statement;
  if (command.type !== "Command") throw notOne(`it is a ${command.type}`);
  if (command.prefix.length > 0)
    throw notLiteral("something stands before the command", "there are no variables and no redirections");
  return command;
}

/** Between its words are blanks and nothing else: no comment, no separator, nothing that the tree leaves out. */
function requireNothingBetween(text: string, words: readonly Word[]): void {
  let end = 0;
  for (const word of words) {
    if (!isBlank(text.slice(end, word.pos)) || (end > 0 && word.pos === end))
      throw notOne("something stands between its words");
    ({ end } = word);
  }
  if (!isBlank(text.slice(end))) throw notOne("something stands after it");
}

function isBlank(text: string): boolean {
  return /^[ \t]*$/.test(text);
}

function literalOf(source: string, word: Word): string {
  const { text, pos, end } = word;
  const parts = word.parts ?? [{ type: "Literal", pos, end, text, value: text } as const];
  const value = parts.map((part, at) => decoded(part, at === 0)).join("");
  const isWhole = parts.map((part) => part.text).join("") === text && source.slice(pos, end) === text;
  if (!isWhole || value !== word.value) throw notLiteral(shown(text), "it can be read in two ways");
  return value;
}

function decoded(part: WordPart, isFirst: boolean): string {
  switch (part.type) {
    case "Literal":
      return unquoted(part.text, isFirst);
    case "SingleQuoted":
      return part.text.slice(1, -1);
    case "DoubleQuoted":
      return doubleQuoted(part.text, part.parts);
    case "Glob":
    case "ExtendedGlob":
      throw notLiteral(shown(part.text), "nothing expands patterns here; quote it, or use find -name");
    case "BraceExpansion":
      throw notLiteral(shown(part.text), "nothing expands braces here; write the words out, or quote it");
    case "AnsiCQuoted":
    case "LocaleString":
      throw notLiteral(shown(part.text), "only '…' and \"…\" are read as quotes");
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "ArithmeticExpansion":
      throw notLiteral(shown(part.text), "there are no variables here; a dollar sign goes in single quotes");
    default:
      throw notLiteral(shown(part.text), "nothing is substituted here");
  }
}

/** What stands outside of quotes: a backslash makes the next character literal; what a shell would expand is refused. */
function unquoted(text: string, isFirst: boolean): string {
  let value = "";
  for (const [piece, escaped] of text.matchAll(/\\(.)|./gsu)) {
    if (escaped === undefined && /[*?[\]{}$\\;&|<>()"'`\s]/.test(piece))
      throw notLiteral(shown(text), `nothing expands here; put ${shown(piece)} in quotes`);
    const isHome = piece === "~" && (value === "" ? isFirst : /[:=]$/.test(value));
    if (isHome) throw notLiteral(shown(text), 'nobody has a home here; write the path, or put "~" in quotes');
    value += escaped ?? piece;
  }
  return value;
}

function doubleQuoted(text: string, parts: readonly WordPart[]): string {
  const inner = text.slice(1, -1);
  const strange = parts.find((part) => part.type !== "Literal");
  if (strange !== undefined) decoded(strange, false);
  if (parts.map((part) => part.text).join("") !== inner)
    throw notLiteral(shown(text), "it can be read in two ways");
  // A dollar sign is one where nothing follows that a name, an expression or a quote could begin with.
  if (/\$(?![ )|]|$)/u.test(inner.replaceAll(/\\./gsu, "x")))
    throw notLiteral(shown(text), "a dollar sign goes in single quotes");
  return inner.replaceAll(/\\([$"\\])/g, "$1");
}

function notOne(what: string, remedy = "call shell.exec once for each command") {
  return refusal("not_one_command", `this is not one simple command (${what}); ${remedy}`);
}

function notLiteral(what: string, remedy: string) {
  return refusal("not_literal", `words are taken as they are written, and ${what} is not: ${remedy}`);
}
