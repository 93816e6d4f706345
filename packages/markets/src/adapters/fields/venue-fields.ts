// What the members of a venue's answers must be. Whatever does not fit makes its market one that cannot be read.
import { cutText, isSimpleFunctionsError, parseJsonStrict } from "@spfunctions/contracts";
import { z } from "zod";
import { compareDecimals, type Decimal, one, overHundred, readDecimal, wholeOf, zero } from "./decimal.ts";

/** Neither half characters nor what would command a terminal. */
const plain = /^[^\u0000-\u0008\u000b-\u001f\u007f\u0080-\u009f]*$/;

function isPlain(text: string): boolean {
  return plain.test(text) && text.isWellFormed();
}

const lineEnds = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** Marks that nobody sees, and that let a text read other than it is written. */
const bidiMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text that people read, in one line whatever its venue made of it. */
function lineField(most: number) {
  return z
    .string()
    .max(most)
    .transform((text) => text.replace(bidiMarks, "").replace(lineEnds, " ").replaceAll("\t", " ").trim())
    .pipe(z.string().min(1).refine(isPlain));
}

export const titleField = lineField(1_000);

export const labelField = lineField(100);

/** What is agreed about a market; of more than anybody would read, the beginning. */
export const rulesField = z
  .string()
  .transform((text) => text.replace(bidiMarks, "").replace(lineEnds, "\n"))
  .refine(isPlain)
  .transform((text) => cutText(text.trim(), 20_000));

/** What one answer lists: no more than a venue was ever asked for, which is two weeks of prices by the minute. */
export const itemsField = z.array(z.unknown()).max(25_000);

/** A name that can stand in an address, and cannot lead to another one. */
export const tickerField = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._~:+,&=@$!'()-]{0,254}$/);

export function isTicker(text: string): boolean {
  return tickerField.safeParse(text).success;
}

const year10000 = 253_402_300_800_000;

/** Milliseconds since 1970, written as ISO 8601 with its zone, or as a date alone. */
export const timeField = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}(?::?\d{2})?))?$/)
  .transform((text, context) => {
    // A zone of hours alone is what one of the venues writes, and no form that Date.parse knows.
    const at = Date.parse(text.replace(" ", "T").replace(/([+-]\d{2})$/, zoneInFull));
    if (at >= 0 && at < year10000) return at;
    context.addIssue({ code: "custom", message: "no time" });
    return z.NEVER;
  });

function zoneInFull(zone: string, _hours: string, offset: number): string {
  return offset > 10 ? `${zone}:00` : zone;
}

/** A decimal within bounds, from its digits or from a number. */
export function decimalField(from: Decimal, to: Decimal) {
  return z.union([z.string(), z.number()]).transform((written, context): Decimal => {
    const value = readDecimal(written);
    if (value !== undefined && compareDecimals(value, from) >= 0 && compareDecimals(value, to) <= 0) {
      return value;
    }
    context.addIssue({ code: "custom", message: "no decimal within its bounds" });
    return z.NEVER;
  });
}

/** A price in dollars. */
export const dollarsField = decimalField(zero, one);

/** A price in cents, given in dollars. */
export const centsField = decimalField(zero, { digits: 100n, scale: 0 }).transform(overHundred);

/** More than any venue has ever traded. */
const trillion: Decimal = { digits: 10n ** 12n, scale: 0 };

/** Contracts, of which a part of one is none. */
export const countField = decimalField(zero, trillion).transform((count) => wholeOf(count, "down"));

/** A list that is written as JSON in a string, or as a list. */
export function listField<Member extends z.ZodType>(member: Member) {
  return z
    .union([z.string(), z.array(z.unknown())])
    .transform((written, context): unknown => {
      if (typeof written !== "string") return written;
      try {
        return parseJsonStrict(written);
      } catch (error) {
        if (!isSimpleFunctionsError(error)) throw error;
        context.addIssue({ code: "custom", message: "no JSON" });
        return z.NEVER;
      }
    })
    .pipe(z.array(member).max(100));
}

/** The first of several that is given, as a field that a venue has renamed is given in one of its forms. */
export function firstOf<T>(...values: readonly (T | null | undefined)[]): T | undefined {
  return values.find((value) => value !== null && value !== undefined) ?? undefined;
}
