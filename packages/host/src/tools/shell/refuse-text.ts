// The second refusal, which knows nothing of the first: it looks at the text alone, wherever in it something stands. What the parser and
// the shell could ever read differently has no business here, also where it is quoted (B27).
import { refusal, shown } from "./refusal.ts";

/**
 * The text of a command.
 * @limit shell.commandChars | `sandbox_denied`, reason `too_long` | fixed: part of the tool's contract
 */
export const maxCommandChars = 8192;

const dangerous = ["$(", "`", "${", "<(", ">(", "&&", "||", ">>", "<<"];

/** Control characters but the tab, and what makes a text read other than it runs: line separators and marks of direction. */
const unseen = /(?!\t)[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

export function refuseText(text: string): void {
  if (text.length > maxCommandChars)
    throw refusal("too_long", `a command has at most ${maxCommandChars} characters, this has ${text.length}`);
  if (!text.isWellFormed()) throw refusal("dangerous_text", "the command has half a character in it");
  if (/[\n\r]/.test(text))
    throw refusal(
      "dangerous_text",
      "a command is one line; call shell.exec once for each command, without line breaks",
    );
  if (unseen.test(text))
    throw refusal("dangerous_text", "the command has a character in it that nobody can see; leave it out");
  const found = dangerous.find((part) => text.includes(part));
  if (found === undefined) return;
  throw refusal(
    "dangerous_text",
    `${shown(found)} is refused wherever it stands, also in quotes; nothing is substituted, chained or redirected here: call shell.exec once for each command`,
  );
}
