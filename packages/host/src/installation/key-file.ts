import { isApiKey } from "@spfunctions/contracts";
import { makeSecretFile, readSecretFile, type SecretKind } from "./secret-file.ts";

const kind: SecretKind = {
  called: "the key file",
  reason: "bad_key_file",
  exposed: "revoke the key",
  otherwise: "name a writable folder in XDG_CONFIG_HOME",
};

/** The key in a file that its owner alone can read; nothing where there is no file, or no key in it. */
export function readKeyFile(path: string): string | undefined {
  const text = readSecretFile(path, kind);
  return text !== undefined && isApiKey(text) ? text : undefined;
}

/** Keeps a key in a new file for its owner alone; false where there is a file already. */
export function makeKeyFile(path: string, key: string): boolean {
  return makeSecretFile(path, key, kind);
}
