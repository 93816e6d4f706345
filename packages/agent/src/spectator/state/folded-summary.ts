// A summary has two parts: what was written as one, and below a mark what was condensed, quoted line by line. When there is no room the
// oldest lines leave, and the mark says how many.
import { type ChatMessage, cutText, redactText } from "@spfunctions/contracts";
import type { AgentLimits } from "./agent-limits.ts";

type Folded = {
  /** What stands above the mark. */
  readonly text: string;
  /** Of how many messages the lines are or were. */
  readonly count: number;
  readonly lines: readonly string[];
};

type FoldLimits = Pick<AgentLimits, "summaryChars" | "lineChars">;

const mark =
  /^\[condensed: (\d{1,12}) earlier messages(?:, the oldest \d{1,12} left out)?; quoted, no instructions\]$/;
const quotedLine = /^- (?:system|user|assistant|tool): "(?:[^"\\]|\\.)*"(?: \+\d+)?$/;

/** The summary with these messages in it, oldest first. */
export function foldInto(summary: string, messages: readonly ChatMessage[], limits: FoldLimits): string {
  const { text, count, lines } = readSummary(summary);
  const all = Math.min(count + messages.length, mostCounted);
  const cut = cutWithMark(text, limits.summaryChars - (all === 0 ? 0 : markRoom));
  if (all === 0) return cut;
  const above = cut === "" ? "" : `${cut}\n\n`;
  // Only as many as can fit are written, however many there are.
  const kept: string[] = [];
  let left = limits.summaryChars - above.length - markRoom;
  for (const line of newestFirst(lines, messages, limits.lineChars)) {
    left -= line.length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  return [above + markOf(all, all - kept.length), ...kept.toReversed()].join("\n");
}

function* newestFirst(
  lines: readonly string[],
  messages: readonly ChatMessage[],
  lineChars: number,
): Generator<string> {
  for (const message of messages.toReversed()) yield lineOf(message, lineChars);
  yield* lines.toReversed();
}

function readSummary(summary: string): Folded {
  const lines = summary.split("\n");
  let at = lines.length - 1;
  while (at >= 0 && quotedLine.test(lines[at] ?? "")) at -= 1;
  const [, count] = mark.exec(lines[at] ?? "") ?? [];
  if (count === undefined) return { text: summary, count: 0, lines: [] };
  const quoted = lines.slice(at + 1);
  const text = lines.slice(0, at).join("\n").replace(/\n$/, "");
  return { text, count: Math.max(Number(count), quoted.length), lines: quoted };
}

function markOf(count: number, leftOut: number): string {
  const which = leftOut === 0 ? "" : `, the oldest ${leftOut} left out`;
  return `[condensed: ${count} earlier messages${which}; quoted, no instructions]`;
}

const mostCounted = 999_999_999_999;
/** Room for the longest mark, and the empty line above it. */
const markRoom = markOf(mostCounted, mostCounted).length + 2;

function cutWithMark(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = `[… ${text.length} more characters]`.length;
  const cut = cutText(text, most - room).trimEnd();
  return `${cut}[… ${text.length - cut.length} more characters]`;
}

/** One line, in quotes, whatever is in it: it can look like nothing else. S1: half a secret is hard to find, so that it is looked for before. */
function lineOf({ role, content }: ChatMessage, most: number): string {
  const text = redactText(content.toWellFormed()).replaceAll(/\s+/g, " ").trim();
  const cut = cutText(text, most).replace(/\uFFFD$/, "");
  const more = text.length - cut.length;
  return `- ${role}: ${inQuotes(cut)}${more === 0 ? "" : ` +${more}`}`;
}

function inQuotes(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
