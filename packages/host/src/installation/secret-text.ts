import { HostConfigurationNeededError, heldSecrets } from "@spfunctions/contracts";

/** The bytes of a secret that was written down in hex or base64url. */
export function secretBytes(text: string, where: string): Uint8Array {
  const form = /^[0-9a-f]{64}$/i.test(text) ? "hex" : /^[\w-]{43}$/.test(text) ? "base64url" : undefined;
  if (form === undefined) {
    throw new HostConfigurationNeededError(
      `${where} holds no installation secret: expected 64 hex or 43 base64url characters (32 bytes), found ${text.length} characters; put back the one that was there, or where nothing is kept with it yet, make one: openssl rand -hex 32`,
      { details: { reason: "bad_installation_secret", where } },
    );
  }
  // As it was written: in upper case, say, it is none of the forms that are held anyway.
  heldSecrets.add(text, "installation");
  return Buffer.from(text, form);
}
