import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CliIo } from "../io/cli-io.ts";

/** Writes a file that was not there; `mode` is whose it is, everybody's to read unless given. */
export function writeNewFile(name: string, text: string, { cwd }: Pick<CliIo, "cwd">, mode = 0o666): void {
  const path = resolve(cwd, name);
  try {
    const file = openSync(path, "wx", mode);
    try {
      writeFileSync(file, text);
    } catch (error) {
      // Half a file would be in the way of the next attempt.
      rmSync(path, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw badUsage(
      code === "EEXIST"
        ? `${name} is already there, and nothing is overwritten; name another file`
        : `${name} cannot be made (${code}); name a file in a folder that can be written to and has room`,
    );
  }
}
