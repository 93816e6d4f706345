// B31: what an operator demands is in the configuration, and nowhere else. It stands first, and nothing that is kept, imported or said by
// a model adds to it, takes from it, or passes for it.
import { InvalidInputError, redactText, type RedactOptions } from "@spfunctions/contracts";

/**
 * Constraints of an operator.
 * @limit chat.constraints | `invalid_input` | fixed: all of them are shown with every turn
 */
const mostItems = 1000;
/**
 * One constraint of an operator.
 * @limit chat.constraintChars | `invalid_input` | fixed: all of them are shown with every turn
 */
const mostChars = 10_000;

/** The operator's, all of them and first; after them the others, without what says the same as one of the operator's. */
export function withOperatorConstraints(
  constraints: readonly string[],
  operatorConstraints: readonly string[],
): string[] {
  return [...operatorConstraints, ...othersIn(constraints, operatorConstraints)];
}

/** Those that are not the operator's. */
export function othersIn(constraints: readonly string[], operatorConstraints: readonly string[]): string[] {
  const operators = new Set(operatorConstraints.map(sayingOf));
  return constraints.filter((text) => !operators.has(sayingOf(text)));
}

/** The same characters can be written in two ways, and look the same. */
function sayingOf(text: string): string {
  return text.trim().normalize("NFC");
}

/** As they are given in a configuration: each once. S1: they are shown to models and kept, so that no secret may be in them. */
export function readOperatorConstraints(
  given: readonly string[],
  options?: RedactOptions,
): readonly string[] {
  if (!Array.isArray(given) || given.length > mostItems)
    throw bad("", `a list of at most ${mostItems} texts`);
  for (const [index, text] of given.entries()) {
    const isText = typeof text === "string" && text.trim() !== "" && text.isWellFormed();
    if (!isText || text.length > mostChars)
      throw bad(`/${index}`, `texts that are not blank, of at most ${mostChars} characters`);
  }
  const once = new Map(given.toReversed().map((text) => [sayingOf(text), text]));
  const texts = given.filter((text) => once.get(sayingOf(text)) === text);
  return Object.freeze([...new Set(texts.map((text) => redactText(text, options)))]);
}

function bad(path: string, what: string): InvalidInputError {
  return new InvalidInputError(`the operator's constraints are ${what}`, {
    details: { path: `/operatorConstraints${path}`, reason: "bad_option" },
  });
}
