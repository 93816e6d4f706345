import { type ContentRow, parseJsonStrict } from "@spfunctions/contracts";

/** The content of a record as one text, or nothing where there is none. */
export function contentText(content: readonly ContentRow[]): string | null {
  return content.length === 0 ? null : JSON.stringify(content.map(keptRow));
}

export function contentIn(text: string | null): ContentRow[] {
  if (text === null) return [];
  return parseJsonStrict(text, { maxBytes: Number.POSITIVE_INFINITY }) as ContentRow[];
}

/** Half a surrogate pair is kept as what was hashed for it, U+FFFD. */
function keptRow(row: ContentRow): ContentRow {
  if (!("text" in row)) return { ref: row.ref, erased: true };
  return { ref: row.ref, salt: row.salt.toWellFormed(), text: row.text.toWellFormed() };
}
