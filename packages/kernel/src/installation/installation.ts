// S1: one secret for an installation, never in its store. What is derived from it proves, hides and signs.
import {
  type Digest,
  hashText,
  heldSecrets,
  InvalidInputError,
  type KeyedHash,
  type KeyId,
  type Signature,
} from "@spfunctions/contracts";
import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from "node:crypto";

/** What an installation can do with its secret. The secret itself is not in it. */
export type Installation = {
  /** Says which secret it is without giving it away. */
  readonly id: Digest;
  /** For keys and confirm words: what is kept instead of them. */
  readonly keyHash: KeyedHash;
  /** For placeholders: two secrets never look the same. */
  readonly redaction: KeyedHash;
  /** For short-lived tokens. */
  readonly tokens: KeyObject;
  readonly signer: Signer;
};

export type Signer = {
  readonly keyId: KeyId;
  /** Ed25519, 32 bytes in base64url. */
  readonly publicKey: string;
  /** Signature of a text, in base64url. */
  readonly sign: (text: string) => string;
};

export const installationSecretBytes = 32;

export function newInstallationSecret(): Uint8Array {
  return randomBytes(installationSecretBytes);
}

/** One for the whole process, for whoever has no other: made when it is first asked for, and kept nowhere. */
export function processInstallation(): Installation {
  ownInstallation ??= openInstallation(newInstallationSecret());
  return ownInstallation;
}
let ownInstallation: Installation | undefined;

export function openInstallation(secret: Uint8Array): Installation {
  if (!(secret instanceof Uint8Array) || secret.length !== installationSecretBytes) {
    throw new InvalidInputError(
      `an installation secret is ${installationSecretBytes} bytes, and this is not`,
      {
        details: { reason: "wrong_length" },
      },
    );
  }
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  const base64 = bytes.toString("base64");
  for (const form of [
    hex,
    hex.toUpperCase(),
    base64,
    base64.replaceAll("=", ""),
    bytes.toString("base64url"),
  ]) {
    heldSecrets.add(form, "installation");
  }
  return Object.freeze({
    id: hashText(`simplefunctions installation ${subkey(bytes, "id").toString("hex")}`),
    keyHash: hmac(subkey(bytes, "key-hash")),
    redaction: hmac(subkey(bytes, "redaction")),
    tokens: createSecretKey(subkey(bytes, "tokens")),
    signer: signerOf(subkey(bytes, "signing")),
  });
}

function subkey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "simplefunctions", purpose, 32));
}

const blockBytes = 64;

/** HMAC-SHA-256 (RFC 2104) of many short texts: what depends on the key alone is made once, and hashing in one go costs half. */
function hmac(key: Buffer): KeyedHash {
  const padded = (byte: number) => {
    const block = Buffer.alloc(blockBytes, byte);
    for (const [index, part] of key.entries()) block[index] = part ^ byte;
    return block;
  };
  const [inner, outer] = [padded(0x36), padded(0x5c)];
  return (text) => {
    const first = hash("sha256", Buffer.concat([inner, Buffer.from(text)]), "buffer");
    return hash("sha256", Buffer.concat([outer, first]), "hex");
  };
}

/** An Ed25519 seed in the frame that Node reads private keys from. */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

function signerOf(seed: Buffer): Signer {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "jwk" }).x as string;
  return Object.freeze({
    keyId: signingKeyId(publicKey),
    publicKey,
    sign: (text: string) => sign(null, Buffer.from(text), key).toString("base64url"),
  });
}

/** A signing key is named by its public half. */
export function signingKeyId(publicKey: string): KeyId {
  return `ed25519-${hashText(publicKey).slice(7, 23)}` as KeyId;
}

/** Whether a text was signed by a key; false for anything that is no key. */
export function isSignedBy(text: string, { sig }: Signature, publicKey: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
    return verify(null, Buffer.from(text), key, Buffer.from(sig, "base64url"));
  } catch {
    return false;
  }
}
