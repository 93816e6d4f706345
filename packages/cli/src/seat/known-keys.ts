import { configFolderOf, knownSigners } from "@spfunctions/host/installation";
import type { CliIo } from "../io/cli-io.ts";
import { installationIfAny } from "./installation-if-any.ts";

/** The public keys that this person has pinned, and their own. */
export function knownKeys(io: Pick<CliIo, "env">): string[] {
  return [...pinnedKeys(io), ...ownKeys(io)];
}

export function pinnedKeys({ env }: Pick<CliIo, "env">): string[] {
  return knownSigners(configFolderOf(env)).map(({ publicKey }) => publicKey);
}

/** Of the installation, where there is one. */
export function ownKeys(io: Pick<CliIo, "env">): string[] {
  const own = installationIfAny(io)?.signer.publicKey;
  return own === undefined ? [] : [own];
}
