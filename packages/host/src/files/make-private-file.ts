import { closeSync, openSync } from "node:fs";

/** Makes an empty file for its owner alone. One that is there stays as it is. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, "a", 0o600));
}
