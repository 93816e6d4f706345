import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What came of a proof when it was last run with `--keep`. */
export type ProofResult = {
  readonly command: string;
  readonly on: string;
  readonly seconds: number;
  readonly holds: boolean;
  readonly report: Readonly<Record<string, unknown>>;
};

const folder = join(import.meta.dirname, "results");

export function keepResult(name: string, result: ProofResult): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(name), `${JSON.stringify(result, undefined, 2)}\n`);
}

export function lastResult(name: string): ProofResult | undefined {
  return existsSync(fileOf(name)) ? JSON.parse(readFileSync(fileOf(name), "utf8")) : undefined;
}

function fileOf(name: string): string {
  return join(folder, `${name}.json`);
}
