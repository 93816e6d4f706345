import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CliIo } from "./cli-io.ts";

/** Where npm has started it, a shell does not know `sf` yet: the folder that has it. Nothing where it was called by its name. */
export function folderOfProgram({ npm_package_json: manifest = "" }: CliIo["env"]): string | undefined {
  const folder = join(dirname(manifest), "node_modules", ".bin");
  return manifest !== "" && existsSync(join(folder, "sf")) ? folder : undefined;
}
