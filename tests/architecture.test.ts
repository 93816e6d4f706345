// docs/architecture.md shows the house as it is.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageNames, root } from "./package-graph.ts";

const page = readFileSync(join(root, "docs/architecture.md"), "utf8");

/** What the page says of a package: from its own heading to the next. */
function partAbout(name: string): string {
  const begin = page.search(new RegExp(`^(?:## Inside \`${name}\`|\\*\\*\`${name}\`\\*\\*)`, "m"));
  const [part = ""] = page.slice(begin + 4).split(/^(?:## |\*\*`)/m);
  return part;
}

test.each(packageNames())("it tells of every folder of %s, and of none that is not there", (name) => {
  const folders = readdirSync(join(root, "packages", name, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  const part = partAbout(name);
  const rows = [...part.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = ""]) => cell).join(", ");
  const told = [...(rows === "" ? part : rows).matchAll(/`([\w/-]+)`/g)].map(([, folder = ""]) => folder);
  expect(folders.filter((folder) => !told.includes(folder))).toEqual([]);
  expect(told.filter((folder) => !existsSync(join(root, "packages", name, "src", folder)))).toEqual([]);
});

test("the way of a call leads through files that are there", () => {
  const [, walk = ""] = page.split("### One call, file by file");
  const [table = ""] = walk.split("\n**");
  const files = [...table.matchAll(/^\| .* \| (.*) \|$/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file),
  );
  expect(files.length).toBeGreaterThan(20);
  const lost = files.filter(
    (file) => !["packages", "packages/kernel/src"].some((from) => existsSync(join(root, from, file))),
  );
  expect(lost).toEqual([]);
});
