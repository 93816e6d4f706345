import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const readme = resolve(import.meta.dirname, "../../README.md");
const block = /(?<=^```console\n)[\s\S]*?(?=^```$)/m;

/** What the README shows of the screen. */
export function shownTranscript(): string {
  const [shown] = block.exec(readFileSync(readme, "utf8")) ?? [];
  if (shown === undefined) throw new Error("README.md has no block of console");
  return shown;
}

export function showTranscript(transcript: string): void {
  const text = readFileSync(readme, "utf8");
  writeFileSync(
    readme,
    text.replace(block, () => transcript),
  );
}
