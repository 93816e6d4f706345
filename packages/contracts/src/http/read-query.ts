import { InvalidInputError } from "../error/error-classes.ts";
import { refuseMember } from "./member-reader.ts";

/** Gives every `name=value` of a raw query to `take`, decoded as a form's: `+` is a space. */
export function readQuery(query: string, take: (name: string, value: string) => void): void {
  for (let start = 0; start < query.length; ) {
    const next = query.indexOf("&", start);
    const end = next === -1 ? query.length : next;
    if (end > start) readPair(query.slice(start, end), take);
    start = end + 1;
  }
}

function readPair(pair: string, take: (name: string, value: string) => void): void {
  const middle = pair.indexOf("=");
  const name = decode(middle === -1 ? pair : pair.slice(0, middle));
  if (name === undefined) {
    throw new InvalidInputError("invalid input: a name in the query is not percent-encoded UTF-8", {
      details: { path: "", reason: "bad_percent_encoding" },
    });
  }
  const value = middle === -1 ? "" : decode(pair.slice(middle + 1));
  take(name, value ?? refuseMember(name, "bad_percent_encoding", "is not percent-encoded UTF-8"));
}

function decode(text: string): string | undefined {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
