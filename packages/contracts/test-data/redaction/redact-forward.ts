import { findPercentEncoded } from "../../src/redact/find-percent-encoded.ts";
import { findSecrets } from "../../src/redact/find-secrets.ts";
import { FoundInStream } from "../../src/redact/found-in-stream.ts";
import { heldSecrets } from "../../src/redact/held-secrets.ts";
import { hideSpans, mergeSpans } from "../../src/redact/hide-spans.ts";
import type { RedactOptions } from "../../src/redact/redact-text.ts";

/** What a stream gives of a text, at once: a secret that was found is hidden from its finding on. */
export function redactForward(text: string, { secrets = heldSecrets, keyedHash }: RedactOptions): string {
  const seen = mergeSpans([...findSecrets(text).spans, ...findPercentEncoded(text)]);
  const spans = mergeSpans([...seen, ...secrets.find(text)]);
  const again = new FoundInStream().find(text, seen, ({ start, end }) => text.slice(start, end));
  return hideSpans(text, [...spans, ...again], keyedHash);
}
