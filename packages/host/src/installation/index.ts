export { belongsToAnother } from "../files/belongs-to-another.ts";
export { isWithin, realPathOf } from "../files/real-path.ts";
export { configFolderOf, type Environment } from "./config-folder.ts";
export { dataFolderOf, platformFolderOf, type Surroundings } from "./data-folder.ts";
export { makeKeyFile, readKeyFile } from "./key-file.ts";
export { isPublicKey, type KnownSigner, knownSigners, pinSigner } from "./known-signers.ts";
export { type LoadedInstallation, type LoadOptions, loadInstallation } from "./load-installation.ts";
