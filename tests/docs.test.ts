// Docs run: every TypeScript block of the docs is a file that is executed here, and every link leads somewhere.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { packageNames, root } from "./package-graph.ts";

const pages = [
  ...readdirSync(root).filter((file) => file.endsWith(".md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file)),
  ...packageNames().map((name) => join("packages", name, "README.md")),
];

describe.each(pages)("%s", (page) => {
  const text = readFileSync(join(root, page), "utf8");

  test("shows only code that is run", () => {
    const blocks = [...text.matchAll(/^```ts(.*)\n([\s\S]*?)^```$/gm)];
    const shown = blocks.map(([, info = "", code]) => {
      const file = /^ file=(\S+)$/.exec(info)?.[1];
      return { file, isThatFile: file !== undefined && readFileSync(join(root, file), "utf8") === code };
    });
    expect(shown.filter(({ isThatFile }) => !isThatFile)).toEqual([]);
    // A package shows its own.
    const own = page.startsWith("packages/") ? join(dirname(page), "example.ts") : undefined;
    for (const { file } of shown.filter((one) => one.file !== own))
      expect(file).toMatch(/^examples\/[^/]+\/main\.ts$/);
  });

  test("has no link to nowhere", () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, link = ""]) => link);
    const dead = links.filter((link) => !existsSync(join(root, dirname(page), link)));
    expect(dead).toEqual([]);
  });

  test("claims no publication, and shows no long-lived key in a browser", () => {
    expect(text).not.toMatch(/npm (?:i|install|add) @spfunctions|\/api\/tools/);
  });
});

test.each(packageNames())("the page of package %s is one page, and shows how it is used", (name) => {
  const text = readFileSync(join(root, "packages", name, "README.md"), "utf8");
  expect(text.startsWith(`# @spfunctions/${name}\n`)).toBe(true);
  expect(text).toMatch(/^```(?:ts file=packages\/|sh\n)/m);
  expect(text.split("\n").length).toBeLessThan(80);
});

describe("examples", () => {
  const stories = [
    ...readdirSync(join(root, "examples")).map((story) => join(root, "examples", story, "main.ts")),
    ...packageNames()
      .map((name) => join(root, "packages", name, "example.ts"))
      .filter((file) => existsSync(file)),
  ];

  test.each(stories.map((story) => [relative(root, story), story]))("%s holds what it shows", (_, story) => {
    const output = execFileSync(process.execPath, ["--conditions=source", story], {
      encoding: "utf8",
    });
    expect(output).not.toBe("");
  });
});
