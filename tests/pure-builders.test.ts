// What puts a package together makes data and nothing else: it looks nothing up, and whoever has the same gets the same.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { edgesOf, resolveRelative, root, shortPath } from "./package-graph.ts";

const kernel = join(root, "packages/kernel/src");
const builders = [
  "package/build-runtime-package.ts",
  "package/seal-package.ts",
  "subagent/build-child-package.ts",
  "subagent/depth-budget.ts",
];
const pure = new Set(["@spfunctions/contracts", "ajv/dist/2020.js", "ajv-formats", "re2js"]);
/** With these a program asks the world something, or does something later. */
const reaching =
  /(?:new Date\(\)|Date\.now|Math\.random|performance\.|process\.|fetch\(|setTimeout|setInterval|setImmediate|randomUUID|globalThis|await )/;

/** Every file that it is made of, and every module outside. */
function reachedFrom(file: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (!file.startsWith(kernel)) return seen;
  for (const edge of edgesOf(file)) reachedFrom(resolveRelative(edge) ?? edge.to, seen);
  return seen;
}

function codeOf(file: string): string {
  // A warning tells, and asks nothing.
  return readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|process\.emitWarning\(/g, "");
}

describe.each(builders)("%s", (builder) => {
  const reached = [...reachedFrom(join(kernel, builder))];
  const files = reached.filter((one) => one.startsWith(kernel));

  // proves CHILD-1.10, CHILD-1.11, CHILD-2.15, CHILD-3.10, CHILD-5.4, CHILD-6.10, CHILD-8.16, CHILD-9.14, CHILD-10.12, CHILD-12.15
  // proves CHILD-13.8
  test("reaches no module that reads, writes, asks or waits", () => {
    expect(files.length).toBeGreaterThan(0);
    expect(reached.filter((one) => !files.includes(one) && !pure.has(one))).toStrictEqual([]);
  });

  // proves CHILD-1.10, CHILD-3.10, CHILD-8.16, CHILD-10.12, CHILD-13.8
  test("asks no clock, no chance and no network, and waits for nothing", () => {
    const asking = files.filter((file) => reaching.test(codeOf(file)));
    expect(asking.map(shortPath)).toStrictEqual([]);
  });
});
