// S1: names and contracts are kept and shown as they are, so what redaction would hide in them is refused where they come in.
import { saysKey } from "./find-runs.ts";
import { isRecognisable } from "./found-secrets.ts";
import { heldSecrets } from "./held-secrets.ts";
import { spansIn } from "./redact-text.ts";
import type { Span } from "./span.ts";

/** The kind of the first secret that redaction would hide in a text; undefined for a text that holds none. */
export function secretKindIn(text: string): string | undefined {
  return spansIn(text).find(({ start, end, kind }) => !isOrdinaryWord(kind, text.slice(start, end)))?.kind;
}

/** The same for a name, where a word and random characters, like `tenant_…`, are an id unless a word says that they are a key. */
export function secretKindInName(name: string): string | undefined {
  const isId = ({ start, end, kind }: Span) => kind === "prefixed_key" && !saysKey(name.slice(start, end));
  return spansIn(name).find(
    (span) => !isId(span) && !isOrdinaryWord(span.kind, name.slice(span.start, span.end)),
  )?.kind;
}

/** The same for the secrets alone that this process holds. */
export function heldKindIn(text: string): string | undefined {
  return heldSecrets.find(text).find(({ start, end, kind }) => !isOrdinaryWord(kind, text.slice(start, end)))
    ?.kind;
}

/** The word that confirms an order is often an ordinary one, which stands in names and descriptions and means nothing there. */
function isOrdinaryWord(kind: string, text: string): boolean {
  return kind === "confirm" && !isRecognisable(text);
}
