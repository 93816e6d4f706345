export { configFolderOf, type Environment } from "./config-folder.ts";
export { type LoadedInstallation, loadInstallation, type LoadOptions } from "./load-installation.ts";
export { makeKeyFile, readKeyFile } from "./key-file.ts";
export { isPublicKey, type KnownSigner, knownSigners, pinSigner } from "./known-signers.ts";
