/**
 * 128 random bits in the form of a UUID, which nobody takes for a secret: platforms refuse keys that look like one. `randomUUID`
 * itself is missing in pages that were not loaded over https.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
