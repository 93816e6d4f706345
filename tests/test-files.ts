import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./package-graph.ts";

/** Where tests may stand: they, conformance suites and what both need. */
export function testFiles(): string[] {
  return ["packages", "tests", "proofs"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !/(?:^|\/)(?:node_modules|dist)\//.test(file))
      .filter((file) => folder !== "tests" || !/^(?:sources|bugs)\//.test(file))
      .map((file) => join(root, folder, file)),
  );
}
