import { accessSync, closeSync, constants, openSync } from "node:fs";
import { dirname } from "node:path";

/** What keeps this process from writing to a file and making others beside it, as the operating system calls it. */
export function hindranceTo(file: string): string | undefined {
  try {
    accessSync(dirname(file), constants.W_OK | constants.X_OK);
    // Opened and not only asked for: that tells of the user who does it, who may be another than the process's own.
    closeSync(openSync(file, "r+"));
    return undefined;
  } catch (error) {
    return hindranceIn(error);
  }
}

/** The one that an error of the file system tells of. */
export function hindranceIn(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return ["EROFS", "EACCES", "EPERM"].find((one) => one === code);
}
