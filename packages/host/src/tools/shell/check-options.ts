// Reads a command's words as GNU's getopt does: letters in clusters, values attached or in the next word, options also after operands,
// none after `--`. It differs in one thing: a long option has its whole name.
import type { OptionRules } from "./option-rules.ts";
import { refusal, shown } from "./refusal.ts";

export function checkOptions(command: string, rules: OptionRules, words: readonly string[]): void {
  const reader = new OptionReader(command, rules);
  let at = 0;
  for (; at < words.length && words[at] !== "--"; at += 1) {
    const word = words[at] ?? "";
    if (word.startsWith("--")) at += reader.long(word);
    else if (word.startsWith("-") && word !== "-") at += reader.letters(word);
    else reader.operand(word, false);
  }
  for (const word of words.slice(at + 1)) reader.operand(word, true);
}

class OptionReader {
  readonly #command: string;
  readonly #rules: OptionRules;
  #operands = 0;

  constructor(command: string, rules: OptionRules) {
    this.#command = command;
    this.#rules = rules;
  }

  /** How many of the words that follow belong to it. */
  long(word: string): 0 | 1 {
    const [, name = "", value] = /^--([^=]*)(=.*)?$/s.exec(word) ?? [];
    const { longFlags, longValues, longAttached } = this.#rules;
    if (has(longAttached, name)) return 0;
    if (has(longValues, name)) return value === undefined ? 1 : 0;
    const isKnown = has(longFlags, name) || name === "help" || name === "version";
    if (isKnown && value === undefined) return 0;
    throw this.#refused(`--${name}`, isKnown ? "it takes no value" : undefined);
  }

  letters(word: string): 0 | 1 {
    const { flags = "", values = "", attached = "", numbers, never = {} } = this.#rules;
    if (Object.hasOwn(never, word)) throw this.#refused(word);
    if (numbers === "alone" && /^-\d+$/.test(word)) return 0;
    const letters = Array.from(word.slice(1));
    for (const [at, letter] of letters.entries()) {
      if (values.includes(letter)) return at === letters.length - 1 ? 1 : 0;
      if (attached.includes(letter)) return 0;
      const isNumber = numbers === "among_letters" && /\d/.test(letter);
      if (!flags.includes(letter) && !isNumber) throw this.#refused(`-${letter}`);
    }
    return 0;
  }

  operand(word: string, isAfterDashes: boolean): void {
    const { most, begins, neverBegins } = this.#rules;
    this.#operands += 1;
    if (most !== undefined && this.#operands > most.operands) throw this.#refused(word, most.why);
    if (begins !== undefined && !word.startsWith(begins.with)) throw this.#refused(word, begins.why);
    if (neverBegins !== undefined && !isAfterDashes && word.startsWith(neverBegins.with))
      throw this.#refused(word, neverBegins.why);
  }

  #refused(word: string, known?: string) {
    const { never = {} } = this.#rules;
    const why = known ?? (Object.hasOwn(never, word) ? never[word] : "it is not on the list of its options");
    return refusal(
      "argument_not_allowed",
      `${this.#command}: ${shown(word)} is refused: ${why}; allowed are ${allowedBy(this.#rules)}`,
    );
  }
}

function has(names: string | undefined, name: string): boolean {
  return namesIn(names).includes(name);
}

export function namesIn(names = ""): string[] {
  return names.split(/\s+/).filter((name) => name !== "");
}

function allowedBy(rules: OptionRules): string {
  const letters = `${rules.flags ?? ""}${rules.values ?? ""}${rules.attached ?? ""}`;
  const names = [rules.longFlags, rules.longValues, rules.longAttached].flatMap((each) => namesIn(each));
  return [`-${letters}`, ...names.map((name) => `--${name}`)].join(" ");
}
