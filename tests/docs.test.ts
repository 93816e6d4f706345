// Docs run: every TypeScript block of the docs is a file that is executed here, and every link leads somewhere.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "./package-graph.ts";

const stories = readdirSync(join(root, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const pages = [
  ...readdirSync(root).filter((file) => file.endsWith(".md")),
  join("examples", "README.md"),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file)),
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
    for (const { file } of shown) expect(file).toMatch(/^examples\/[^/]+\/[\w-]+\.ts$/);
  });

  test("has no link to nowhere", () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, link = ""]) => link);
    const dead = links.filter((link) => !existsSync(join(root, dirname(page), link)));
    expect(dead).toEqual([]);
  });

  test("claims no publication, and shows no key but where it is kept", () => {
    expect(text).not.toMatch(/npm (?:i|install|add) @spfunctions|\/api\/tools/);
    expect(text).not.toMatch(writtenKey);
  });
});

/** A key of the platform's that stands in the code itself. */
const writtenKey = /(?:SimpleFunctions|connectEmbedded)\([^)]*apiKey: ["'`]/;

describe.each(stories)("the story %s", (story) => {
  const main = join("examples", story, "main.ts");

  // Whether every other file of a story is used by its main is knip's to say.
  test("holds what it shows", () => {
    const output = execFileSync(process.execPath, ["--conditions=source", join(root, main)], {
      encoding: "utf8",
    });
    expect(output).not.toBe("");
  });

  test("is told on a page of the docs, and listed", () => {
    const told = pages.filter((page) => readFileSync(join(root, page), "utf8").includes(`ts file=${main}`));
    expect(told).toHaveLength(1);
    expect(readFileSync(join(root, "examples/README.md"), "utf8")).toContain(`[${story}](${story}/main.ts)`);
  });

  test("has no key in its code, and none at all in a page", () => {
    const files = readdirSync(join(root, "examples", story)).filter((name) => name.endsWith(".ts"));
    for (const file of files) {
      const inPage = file === "page.ts" ? /sf_live_|SF_API_KEY/ : writtenKey;
      const code = readFileSync(join(root, "examples", story, file), "utf8");
      expect(code.match(writtenKey) ?? code.match(inPage)).toBeNull();
    }
  });
});
