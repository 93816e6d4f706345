// What a library says of a value that it does not take, such as the words of a zod `refine`. S1: a message may quote the value, and a
// verdict cannot be erased. So words are kept if they are the same whatever the value is, or if they share nothing with it.
import { cutText, isJsonObject, type JsonValue, redactText } from "@spfunctions/contracts";
import { copyJson } from "./json-copy.ts";
import type { StandardSchema } from "./standard-schema.ts";

/**
 * Characters of what a schema says of a value.
 * @limit tool.issueChars | nothing: the rest is cut off | fixed: it stands in a verdict
 */
const maxIssueChars = 300;

/** The words of a library's first issue with a value, or undefined where they may show something of the value. */
export function issueWords(schema: StandardSchema, issue: unknown, value: JsonValue): string | undefined {
  const { message } = (issue ?? {}) as { message?: unknown };
  if (typeof message !== "string" || message.trim() === "") return undefined;
  const shown = cutText(redactText(message), maxIssueChars).replaceAll(unprintable, " ").trim();
  return isFixed(schema, message, value) || !sharesWords(shown, value) ? shown : undefined;
}

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu;

type ZodPart = {
  readonly _zod?: { readonly def?: { readonly error?: (issue: object) => unknown } };
};
type RawIssue = { readonly code?: unknown; readonly inst?: ZodPart; readonly schema?: ZodPart };
type Payload = { readonly value: unknown; readonly issues: readonly RawIssue[] };
type ZodSchema = {
  readonly _zod?: { readonly run?: (payload: Payload, context: { readonly async: false }) => Payload };
};

/** Whether the author's words are the same for an issue that tells nothing of the value. Zod alone says whose issue it is. */
function isFixed(schema: StandardSchema, message: string, value: JsonValue): boolean {
  try {
    const { _zod: zod } = schema as ZodSchema;
    const answer = zod?.run?.({ value: copyJson(value), issues: [] }, { async: false });
    const [issue] = answer?.issues ?? [];
    if (issue === undefined) return false;
    const { code, inst, schema: owner } = issue;
    return [inst, owner].some((part) => {
      const { _zod: raised } = part ?? {};
      const said = raised?.def?.error?.({ code, inst, path: [] });
      return said === message || (said as { message?: unknown } | null | undefined)?.message === message;
    });
  } catch {
    return false;
  }
}

/** Whether a text and a value have a word in common, or a part of one: a number, or more than three letters. */
function sharesWords(text: string, value: JsonValue): boolean {
  const words = wordsIn(text);
  const [whole, parts] = [` ${words.join(" ")} `, words.filter(isTelling)];
  for (const leaf of leavesOf(value)) {
    const [lower, own] = [leaf.toLowerCase(), wordsIn(leaf)];
    const isQuoted =
      own.length === 0 ? leaf !== "" && text.includes(leaf) : whole.includes(` ${own.join(" ")} `);
    if (isQuoted || parts.some((part) => lower.includes(part))) return true;
    if (own.some((word) => isTelling(word) && whole.includes(word))) return true;
  }
  return false;
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

const isTelling = (word: string) => !/^[a-z]{1,3}$/.test(word);

/** The texts and numbers in a value. */
function* leavesOf(value: JsonValue): Generator<string> {
  if (typeof value === "string" || typeof value === "number") yield String(value);
  else if (Array.isArray(value)) for (const item of value) yield* leavesOf(item as JsonValue);
  else if (isJsonObject(value)) for (const member of Object.values(value)) yield* leavesOf(member);
}
