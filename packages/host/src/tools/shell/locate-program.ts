// What a command needs to run, and nothing more: its own file, the libraries that the loader would load for it, and a few folders of data.
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** Where the machine's own programs are. What else is on somebody's PATH is not looked at. */
export const systemFolders: readonly string[] = ["/usr/bin", "/bin"];

export type Program = {
  readonly name: string;
  readonly path: string;
  /** Files and folders that it reads before it does anything. */
  readonly needs: readonly string[];
};

const run = promisify(execFile);

export function locateProgram(name: string, folders = systemFolders): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => isProgram(path));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const locales = ["/usr/lib/locale/C.utf8"];
const dataOf: Readonly<Record<string, readonly string[]>> = {
  date: ["/usr/share/zoneinfo"],
  file: ["/usr/share/misc/magic.mgc"],
};

/** Asks a program what it is. */
export async function lookAtProgram(name: string, path: string): Promise<Program> {
  const data = [...locales, ...(Object.hasOwn(dataOf, name) ? (dataOf[name] ?? []) : [])];
  const needs = [...(await librariesOf(path)), ...data.filter((each) => existsSync(each))];
  return { name, path, needs };
}

/** As `ldd` does it: the loader lists what it would load, and the program itself does not run. */
async function librariesOf(path: string): Promise<string[]> {
  const { stdout } = await run(path, [], { env: { LD_TRACE_LOADED_OBJECTS: "1" }, timeout: 10_000 });
  return Array.from(stdout.matchAll(/^\s(?:\S+ => )?(\/\S+) \(0x/gm), ([, library = ""]) => library);
}

/** The first line in which it says what it is. The rules for arguments are those of the GNU programs. */
export async function versionOf(path: string): Promise<string> {
  const { stdout } = await run(path, ["--version"], { env: {}, timeout: 10_000 });
  return stdout.split("\n")[0] ?? "";
}
