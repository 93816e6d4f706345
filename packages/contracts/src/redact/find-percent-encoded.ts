// In an address or a form, names, delimiters and values are written as %20, %3D, %22. They are read decoded, and hidden where they stand.
import { findSecrets } from "./find-secrets.ts";
import { percentReadings } from "./readings.ts";
import type { Span } from "./span.ts";

/** An encoded character, or a parameter that a form may have written with its spaces as plus signs. */
const encoded = /%[\dA-Fa-f]{2}|[?&][\w.-]{1,64}=[\w.-]{1,64}\+/g;
/** What no encoder leaves in what it has encoded. */
const outside = /[\s"<>]/;

/** What can be seen in each run of encoded text once it is decoded: once, as a form, and each of them twice. */
export function findPercentEncoded(text: string): readonly Span[] {
  if (!text.includes("%") && !text.includes("+")) return none;
  const spans: Span[] = [];
  let done = 0;
  encoded.lastIndex = 0;
  for (let match = encoded.exec(text); match !== null; match = encoded.exec(text)) {
    let start = match.index;
    while (start > done && !outside.test(text.charAt(start - 1))) start--;
    let end = encoded.lastIndex;
    while (end < text.length && !outside.test(text.charAt(end))) end++;
    for (const reading of percentReadings(text.slice(start, end), start)) {
      for (const span of findSecrets(reading.text).spans)
        spans.push({ start: reading.startOf(span.start), end: reading.endOf(span.end), kind: span.kind });
    }
    done = end;
    encoded.lastIndex = end;
  }
  return spans;
}

const none: readonly Span[] = [];
