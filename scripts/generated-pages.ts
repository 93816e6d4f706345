import { printProofs } from "../proofs/print-proofs.ts";
import { bugsPage } from "../tests/bugs/bugs-page.ts";
import { sourcePages } from "../tests/sources/source-pages.ts";
import { referencePages } from "./reference/reference-pages.ts";

/** Pages that are made, by their path: change what they are made from, and run `npm run generate`. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ...(await referencePages()),
    ...sourcePages(),
    bugsPage(),
    ["docs/proofs.md", printProofs()],
  ]);
}
