import { join } from "node:path";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { type Installation, newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { configFolderOf, type Environment } from "./config-folder.ts";
import { makeSecretFile, readSecretFile, type SecretKind } from "./secret-file.ts";
import { secretBytes } from "./secret-text.ts";

export type LoadOptions = {
  /** The variables of this process unless given. */
  readonly env?: Environment | undefined;
  /** Makes the file where there is none; true unless given. */
  readonly create?: boolean | undefined;
  /** Where the file lies; the person's configuration folder unless given. */
  readonly configFolder?: string | undefined;
};

export type LoadedInstallation = {
  readonly installation: Installation;
  readonly source: "env" | "file";
  /** Of the file. */
  readonly path?: string;
  /** Whether the secret was made just now, by this process. */
  readonly created: boolean;
};

const kind: SecretKind = {
  called: "the installation's secret",
  reason: "bad_installation_secret",
  exposed: "everything it signed and hid is to be doubted",
  otherwise: "name a writable folder in XDG_CONFIG_HOME, or give SF_INSTALLATION_KEY",
};

/** Opens the installation whose secret is in `SF_INSTALLATION_KEY`, or else in the person's configuration folder. */
export function loadInstallation(options: LoadOptions = {}): LoadedInstallation {
  const { env = process.env, create = true, configFolder = configFolderOf(env) } = options;
  const given = env.SF_INSTALLATION_KEY;
  // Also an empty one: whoever sets it wants exactly that secret, and never a new one instead.
  if (given !== undefined) {
    const installation = openInstallation(secretBytes(given, "SF_INSTALLATION_KEY"));
    return { installation, source: "env", created: false };
  }
  const path = join(configFolder, "installation.key");
  const found = readSecretFile(path, kind);
  const created = found === undefined && create && makeSecretFile(path, newSecretText(), kind);
  const text = found ?? readSecretFile(path, kind);
  if (text === undefined) {
    throw new HostConfigurationNeededError(
      `there is no installation secret at ${path}; give SF_INSTALLATION_KEY, or put the file there`,
      { details: { reason: "no_installation_secret", where: path } },
    );
  }
  return { installation: openInstallation(secretBytes(text, path)), source: "file", path, created };
}

function newSecretText(): string {
  return Buffer.from(newInstallationSecret()).toString("hex");
}
