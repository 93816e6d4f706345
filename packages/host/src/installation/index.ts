export { configFolderOf, type Environment } from "./config-folder.ts";
export { makeKeyFile, readKeyFile } from "./key-file.ts";
export { isPublicKey, type KnownSigner, knownSigners, pinSigner } from "./known-signers.ts";
export { type LoadedInstallation, type LoadOptions, loadInstallation } from "./load-installation.ts";
