// JavaScript's own engine tries a pattern in every way: 31 characters can keep it busy for minutes. A contract's patterns are run by one
// that reads each character of a text once (re2js), and what that engine cannot run is refused where it is defined.
import { InvalidInputError } from "@spfunctions/contracts";
import { RE2JS } from "re2js";
import { replaceFolding, translatePattern, UnreadablePatternError } from "./translate-pattern.ts";

export type LinearPattern = { readonly test: (text: string) => boolean };

/**
 * Steps by which a text is looked through at most, the instructions of a pattern times the characters of the text, where the pattern has
 * more than 200 of them: a repetition of a thousand can take each of them for each character.
 * @limit tool.patternSteps | `invalid_input` | fixed: say how long a text is with `maxLength`, and repeat in the pattern with `*` and `+`
 */
const maxPatternSteps = 100_000_000;
const smallPattern = 200;

/** By flags and source. */
const known = new Map<string, LinearPattern | UnreadablePatternError>();
const maxKnown = 1000;

/** A pattern as JSON Schema reads it (flag `u`), or with the flags that a library has. Throws `UnreadablePatternError`. */
export function linearPattern(source: string, flags = "u"): LinearPattern {
  const name = `${flags} ${source}`;
  const found = known.get(name) ?? compile(source, flags);
  const [oldest] = known.keys();
  if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest);
  known.set(name, found);
  if (found instanceof UnreadablePatternError) throw found;
  return found;
}

function compile(source: string, flags: string): LinearPattern | UnreadablePatternError {
  const isKnown = linearInJavaScript.has(source) && !flags.includes("m");
  if (isKnown || (flags !== "u" && hasOneWay(source))) return inJavaScript(source, flags);
  try {
    const translated = translatePattern(source, flags);
    let made: RE2JS | undefined;
    const pattern = () =>
      (made ??= RE2JS.compile(translated, flags.includes("i") ? RE2JS.CASE_INSENSITIVE : 0));
    // Compiling takes longer than translating: what is surely read is compiled for the first text.
    if (!isSurelyRead(source)) pattern();
    const read = flags.includes("i") && !flags.includes("u") ? replaceFolding : (text: string) => text;
    return {
      test: (text) => {
        requireFewSteps(pattern(), text);
        return pattern().test(read(text));
      },
    };
  } catch (error) {
    if (error instanceof UnreadablePatternError) return error;
    return new UnreadablePatternError(error instanceof Error ? error.message : String(error));
  }
}

/** Thrown, because what does not match is what a schema's `not` asks for. */
function requireFewSteps(pattern: RE2JS, text: string): void {
  const size = pattern.programSize();
  if (size <= smallPattern || size * text.length <= maxPatternSteps) return;
  throw new InvalidInputError(
    `a text of ${text.length} characters is too long for its pattern, which repeats ${size} instructions: say how long it is with maxLength`,
  );
}

/** What the engine refuses besides is a repetition of more than a thousand, also of a repetition, and a name that it does not know. */
function isSurelyRead(source: string): boolean {
  return !/\)\{|\{\d*,?\d{4,}|\{\d{4,}|\\[pP]/.test(source);
}

/** Without the flags that remember where a text was read to. */
function inJavaScript(source: string, flags: string): RegExp {
  const isAtStart = flags.includes("y");
  return new RegExp(isAtStart ? `(?<![^])(?:${source})` : source, flags.replaceAll(/[gy]/g, ""));
}

/** Without repetition, choice, looking around or looking back there is one way to read a text from each of its places. */
function hasOneWay(source: string): boolean {
  return !/[*+?{|]|\\[1-9k]/.test(
    source.replaceAll(/\\[^1-9kpP]|\(\?:/g, "").replaceAll(/\\[pP]\{\w+\}/g, ""),
  );
}

/**
 * The patterns of zod's formats that look ahead. Each looks over a bounded stretch, or once from the beginning, and has one way to
 * read what comes after it, so that JavaScript's own engine runs them in linear time.
 */
const linearInJavaScript: ReadonlySet<string> = new Set([
  // domain
  String.raw`^(?=.{1,253}$)([a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,63}$`,
  // duration
  String.raw`^P(?:(\d+W)|(?!.*W)(?=\d|T\d)(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+([.,]\d+)?S)?)?)$`,
  // emoji
  String.raw`^(?=[\s\S]*[\p{Extended_Pictographic}\p{Regional_Indicator}\u20E3])[\p{Extended_Pictographic}\p{Emoji_Component}]+$`,
  // extendedDuration
  String.raw`^[-+]?P(?!$)(?:(?:[-+]?\d+Y)|(?:[-+]?\d+[.,]\d+Y$))?(?:(?:[-+]?\d+M)|(?:[-+]?\d+[.,]\d+M$))?(?:(?:[-+]?\d+W)|(?:[-+]?\d+[.,]\d+W$))?(?:(?:[-+]?\d+D)|(?:[-+]?\d+[.,]\d+D$))?(?:T(?=[\d+-])(?:(?:[-+]?\d+H)|(?:[-+]?\d+[.,]\d+H$))?(?:(?:[-+]?\d+M)|(?:[-+]?\d+[.,]\d+M$))?(?:[-+]?\d+(?:[.,]\d+)?S)?)??$`,
  // hostname
  String.raw`^(?=.{1,253}\.?$)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\.?$`,
  // iban
  String.raw`^[A-Z]{2}(?!00|01|99)\d{2}[A-Z0-9]{11,30}$`,
  // email
  String.raw`^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`,
]);
