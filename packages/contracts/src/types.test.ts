// The compiler itself says whether the promises of types.test-d.ts hold, and that each of them can break.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../../..");
const promises = join(import.meta.dirname, "types.test-d.ts");
const index = join(import.meta.dirname, "index.ts");
const directive = "// @ts-expect-error";
const lines = readFileSync(promises, "utf8").split("\n");
const promised = lines.flatMap((line, at) => (line.startsWith(directive) ? [at] : []));

const folder = mkdtempSync(join(tmpdir(), "types-"));
writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
afterAll(() => rmSync(folder, { recursive: true }));

test("everything that must not compile does not, and the rest does", () => {
  expect(compile(promises)).toStrictEqual([]);
  expect(promised.length).toBeGreaterThan(25);
});

test("a promise that is no longer kept fails the check", () => {
  const [first = 0] = promised;
  expect(compile(copyWithout([first]))).toStrictEqual([first + 2]);
});

test("every promise is kept by exactly one error, on the line it speaks of", () => {
  expect(compile(copyWithout(promised))).toStrictEqual(promised.map((at) => at + 2));
});

/** A copy in which these directives are ordinary comments. */
function copyWithout(taken: readonly number[]): string {
  const text = lines
    .map((line, at) => (taken.includes(at) ? line.replace("@ts-expect-error", "taken out:") : line))
    .join("\n")
    .replace('"./index.ts"', JSON.stringify(index));
  const copy = join(folder, `copy-${taken.length}.ts`);
  writeFileSync(copy, text);
  return copy;
}

/** The lines (from 1) that the compiler complains about. */
function compile(file: string): number[] {
  const config = join(folder, "tsconfig.json");
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, "tsconfig.base.json"),
      compilerOptions: {
        noEmit: true,
        allowImportingTsExtensions: true,
        rewriteRelativeImportExtensions: false,
        customConditions: ["source"],
        typeRoots: [join(root, "node_modules/@types")],
      },
      files: [file],
    }),
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  try {
    execFileSync(process.execPath, [tsc, "-p", config, "--pretty", "false"], {
      encoding: "utf8",
      stdio: "pipe",
    });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout: string };
    const complaints = [...stdout.matchAll(/^\S.*\((\d+),\d+\): error /gm)].map(([, line]) => Number(line));
    if (complaints.length === 0) throw new Error(stdout, { cause: error });
    return complaints;
  }
}
