import { basename, dirname, join } from "node:path";
import { hashText } from "@spfunctions/contracts";

const maxWords = 60;

/**
 * Where a test's fixture lies, beside the test: words to read it by, and a hash of the exact names, so that two names never share a file,
 * on no file system and in no script.
 */
export function fixtureFileOf(testFile: string, names: readonly string[], part?: string): string {
  const words = [...names, part ?? ""]
    .join(" ")
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, " ")
    .trim()
    .slice(0, maxWords)
    .trim()
    .replaceAll(" ", "-");
  const mark = hashText(JSON.stringify([names, part ?? null])).slice(7, 23);
  const name = words === "" ? mark : `${words}-${mark}`;
  return join(dirname(testFile), "__fixtures__", basename(testFile), `${name}.jsonl`);
}
