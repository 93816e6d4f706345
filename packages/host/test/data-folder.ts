import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder that is removed when the test has ended. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sf-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function databaseIn(folder: string): string {
  return join(folder, "simplefunctions.db");
}
