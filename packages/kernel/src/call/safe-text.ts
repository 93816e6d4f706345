import { cutText, heldSecrets, redactText, type RedactOptions } from "@spfunctions/contracts";

/** The most that is read of words of others. */
const maxRead = 64 * 1024;
/** The longest secret that is known by its shape. */
const longestShape = 8192;

/** Words of others as they may be kept: without secrets, and cut only then, because half a secret is one nobody would know again. */
export function safeText(text: string, most: number, options: RedactOptions = {}): string {
  if (text.length <= maxRead) return cutText(redactText(text, options), most);
  const read = cutText(text, maxRead);
  const safe = redactText(read, options);
  const { secrets = heldSecrets, alsoSecrets } = options;
  // What is left may end with half a secret.
  const openFrom = Math.min(secrets.openFrom(read), alsoSecrets?.openFrom(read) ?? read.length);
  const sure = safe.length - Math.max(longestShape, read.length - openFrom);
  return sure <= 0 ? "[too long to be kept]" : cutText(safe, Math.min(most, sure));
}
