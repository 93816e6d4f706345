import { type ContentRow, parseJsonStrict } from "@spfunctions/contracts";

/** The content of a record as one text, or nothing where there is none. */
export function contentText(content: readonly ContentRow[]): string | null {
  return content.length === 0 ? null : JSON.stringify(content.map(keptRow));
}

/**
 * The content that was kept. Nothing about it was verified, whatever its type says: somebody else may have written to the
 * file, and it is the verifier that names the record with bad content. What is no list stands in one, so that it is seen.
 */
export function contentIn(text: string | null): ContentRow[] {
  if (text === null) return [];
  const value = valueIn(text);
  return (Array.isArray(value) ? value : [value]) as ContentRow[];
}

/** As `contentIn`, or nothing where it is not what `contentText` writes. */
export function soundContentIn(text: string | null): ContentRow[] | undefined {
  if (text === null) return [];
  const value = valueIn(text);
  return Array.isArray(value) && value.every(isRow) ? value : undefined;
}

function isRow(row: unknown): row is ContentRow {
  if (typeof row !== "object" || row === null) return false;
  const { ref, salt, text, erased } = row as Record<string, unknown>;
  const count = Object.keys(row).length;
  if (erased === true) return count === 2 && typeof ref === "string";
  return count === 3 && [ref, salt, text].every((part) => typeof part === "string");
}

/** What is no JSON, or says something twice, stands for itself. */
function valueIn(text: string): unknown {
  try {
    return parseJsonStrict(text, { maxBytes: Number.POSITIVE_INFINITY });
  } catch {
    return text;
  }
}

/** Half a surrogate pair is kept as what was hashed for it, U+FFFD. */
function keptRow(row: ContentRow): ContentRow {
  if (!("text" in row)) return { ref: row.ref, erased: true };
  return { ref: row.ref, salt: row.salt.toWellFormed(), text: row.text.toWellFormed() };
}
