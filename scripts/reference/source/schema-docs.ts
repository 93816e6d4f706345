import { globSync } from "node:fs";
import { constantsOf, objectIn } from "./constants.ts";
import { docsOfSchema, type VariantDocs } from "./documented-members.ts";
import { inOneLine, parsedSource, root } from "./parsed-source.ts";

const files = globSync("packages/contracts/src/**/*.ts", { cwd: root }).filter(
  (file) => !file.includes(".test"),
);

/** What is said of a schema of `contracts`, by its name and wherever it is. */
export function docsOfNamed(name: string): VariantDocs {
  for (const file of files.toSorted()) {
    const found = constantsOf(parsedSource(file)).find((one) => one.name === name);
    if (found === undefined) continue;
    return objectIn(found.init) === undefined
      ? { doc: inOneLine(found.doc), members: new Map() }
      : docsOfSchema(file, name);
  }
  return { doc: "", members: new Map() };
}
