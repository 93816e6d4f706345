// A cursor is opaque and holds no authority: it says where a page ended. Its check refuses one that was changed or that belongs to
// another question; whoever computes it anew has only said another place to go on from.
import { canonicalJson, hashText, InvalidInputError } from "@spfunctions/contracts";
import { z } from "zod";

/** Where a page ended: in the ranking of which time, and behind which market. */
export type Position = {
  readonly at: number;
  readonly value: number;
  readonly venue: string;
  readonly ticker: string;
};

const writtenSchema = z.tuple([z.number(), z.number(), z.string(), z.string(), z.string()]);

export function cursorOf(position: Position, question: string): string {
  const { at, value, venue, ticker } = position;
  const written = [at, value, venue, ticker, checkOf(position, question)];
  return Buffer.from(JSON.stringify(written)).toString("base64url");
}

/** The position that a cursor for this question says. */
export function readCursor(cursor: string, question: string): Position {
  const written = writtenSchema.safeParse(parsed(cursor));
  if (written.success) {
    const [at, value, venue, ticker] = written.data;
    const position = { at, value, venue, ticker };
    // Written again it is the same, or somebody else wrote it.
    if (cursorOf(position, question) === cursor) return position;
  }
  throw new InvalidInputError(
    "after is not a cursor of this question; give the next of its last page, or leave it out",
    { details: { path: "/after", reason: "invalid_cursor" } },
  );
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
}

function checkOf({ at, value, venue, ticker }: Position, question: string): string {
  const text = canonicalJson([question, at, value, venue.toWellFormed(), ticker.toWellFormed()]);
  return hashText(text).slice("sha256:".length, 23);
}
