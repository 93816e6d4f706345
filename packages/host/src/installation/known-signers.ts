// Whose signatures this person trusts: keys that somebody has pinned, by hand and after a look.
import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  HostConfigurationNeededError,
  InvalidInputError,
  isSimpleFunctionsError,
  type KeyId,
  parseJsonStrict,
} from "@spfunctions/contracts";
import { signingKeyId } from "@spfunctions/kernel";
import { belongsToAnother } from "../files/belongs-to-another.ts";
import { makePrivateFolder } from "../files/make-private-folder.ts";

export type KnownSigner = {
  readonly keyId: KeyId;
  /** Ed25519, 32 bytes in base64url. */
  readonly publicKey: string;
};

/** The pinned signers, in the order in which they were pinned. */
export function knownSigners(configFolder: string): KnownSigner[] {
  const path = fileIn(configFolder);
  const text = readPins(path);
  return text === undefined ? [] : pinsIn(text, path).map(signerOf);
}

/** Trusts a key from now on. One that is known already changes nothing. */
export function pinSigner(configFolder: string, publicKey: string): KnownSigner {
  if (!isPublicKey(publicKey)) {
    throw new InvalidInputError("not a signing key: expected an Ed25519 public key, 32 bytes in base64url", {
      details: { reason: "bad_public_key" },
    });
  }
  const pinned = knownSigners(configFolder).map((signer) => signer.publicKey);
  if (!pinned.includes(publicKey)) writePins(configFolder, [...pinned, publicKey]);
  return signerOf(publicKey);
}

function fileIn(configFolder: string): string {
  return join(configFolder, "signers.json");
}

function signerOf(publicKey: string): KnownSigner {
  return { keyId: signingKeyId(publicKey), publicKey };
}

/** Whether a text is an Ed25519 public key, 32 bytes in base64url. In one spelling alone: a key is named after its text. */
export function isPublicKey(value: unknown): value is string {
  if (typeof value !== "string" || !/^[\w-]{43}$/.test(value)) return false;
  return Buffer.from(value, "base64url").toString("base64url") === value;
}

function readPins(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (process.platform !== "win32" && (found.mode & 0o022) !== 0)
    throw unusable(path, "can be written by others than its owner", `look at what is in it, then chmod 600`);
  if (belongsToAnother(found))
    throw unusable(path, "belongs to another user", "look at what is in it, then make it yours with chown");
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw unusable(path, "cannot be read", "make it readable for its owner", error);
  }
}

function pinsIn(text: string, path: string): string[] {
  try {
    const value = parseJsonStrict(text) as { v?: unknown; signers?: unknown } | null;
    const signers = value?.v === 1 ? value.signers : undefined;
    if (Array.isArray(signers) && signers.every(isPublicKey)) return signers;
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
  }
  throw unusable(path, "is not a list of signing keys", "mend it, or remove it and pin again");
}

/** Whoever reads it meanwhile sees the list before or the list after. */
function writePins(configFolder: string, signers: readonly string[]): void {
  const path = fileIn(configFolder);
  const draft = `${path}.${randomUUID()}`;
  try {
    makePrivateFolder(configFolder);
    writeFileSync(draft, `${JSON.stringify({ v: 1, signers }, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw unusable(path, "cannot be written", "make the folder writable", error);
  }
}

function unusable(path: string, what: string, remedy: string, cause?: unknown): HostConfigurationNeededError {
  return new HostConfigurationNeededError(`${path} ${what}; ${remedy}`, {
    details: { reason: "bad_signers", where: path },
    cause,
  });
}
