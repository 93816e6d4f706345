// How tests start processes that are looked at from outside: with our packages as they are installed, where the tests have been given
// them (install-packages.mjs), and with the sources otherwise, as in the long form of a proof.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.env["SF_TEST_INSTALLED"];

/** Node's own options, before a program that imports our packages by their names alone. */
export const withPackages: readonly string[] =
  folder === undefined
    ? ["--conditions=source"]
    : ["--import", pathToFileURL(join(folder, "register.mjs")).href];

const cli =
  folder === undefined
    ? resolve(import.meta.dirname, "../../packages/cli")
    : join(folder, "node_modules/@spfunctions/cli");

/** `sf` of the same packages; it is started with these options too. */
export const sfProgram: string = join(cli, "bin/sf.mjs");
