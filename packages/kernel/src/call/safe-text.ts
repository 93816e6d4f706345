import { cutText, heldSecrets, redactText, type RedactOptions } from "@spfunctions/contracts";

/** The most that is read of words of others. */
const maxRead = 64 * 1024;
/** The longest secret that is known by its shape. */
const longestShape = 8192;

/** Words of others as they may be kept: without secrets, and cut only then, because half a secret is one nobody would know again. */
export function safeText(text: string, most: number, options: RedactOptions = {}): string {
  if (text.length <= maxRead) return cutText(redactText(text, options), most);
  const safe = redactText(cutText(text, maxRead), options);
  const { secrets = heldSecrets, alsoSecrets } = options;
  // What is left may end with half a secret.
  const sure = safe.length - Math.max(longestShape, secrets.longest, alsoSecrets?.longest ?? 0);
  return sure <= 0 ? "[too long to be kept]" : cutText(safe, Math.min(most, sure));
}
