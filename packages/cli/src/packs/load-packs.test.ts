import { mkdirSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { Home, notesPack } from "../../test-data/run-sf.ts";

const refused: readonly (readonly [string, string, RegExp])[] = [
  ["is not there", "", /^pack \.\/p\.ts: there is no such file$/],
  ["throws", '\nthrow new Error("boo")', /^pack \.\/p\.ts: it cannot be loaded: p\.ts:2:7: boo$/],
  [
    "throws nothing",
    "throw null",
    /^pack \.\/p\.ts: it cannot be loaded: it threw something that is no error$/,
  ],
  [
    "throws what throws",
    "throw { get message() { throw 1 }, get stack() { throw 2 } }",
    /^pack \.\/p\.ts: it cannot be loaded: /,
  ],
  [
    "throws what would drive a terminal",
    String.raw`throw new Error("\u001b[2J\u202e")`,
    /it cannot be loaded: p\.ts:1:7: \\u001b\[2J\\u202e$/,
  ],
  [
    "throws a secret of this process",
    "throw new Error(process.env.SF_INSTALLATION_KEY)",
    /it cannot be loaded: p\.ts:1:7: \[redacted:\w+\]$/,
  ],
  ["has no tools", "export const a = 1", /^pack \.\/p\.ts: expected a tool, .* found a \(number\)$/],
  [
    "has what it calls tools itself",
    'export default { contract: { name: "x.y", digest: "sha256:0" } }',
    /^x\.y was not made by the defineTool that this sf uses; /,
  ],
];

describe("a pack", () => {
  test.each(refused)("that %s is refused in one line, without a stack", async (_, text, message) => {
    const home = new Home({ SF_INSTALLATION_KEY: "5e".repeat(32) });
    if (text !== "") home.write("p.ts", text);
    const { code, out, err } = await home.run(["explain", "x.y", "--pack", "./p.ts"]);
    expect({ code, out }).toStrictEqual({ code: 2, out: "" });
    const [first = "", ...more] = err.trimEnd().split("\n");
    expect(first.replace(/^error invalid_package: /, "")).toMatch(message);
    expect(more.filter((line) => !line.startsWith("  at: /"))).toStrictEqual([]);
    expect(readdirSync(home.path("home"))).toStrictEqual([]);
  });

  test.each([
    ["is not TypeScript", "\nexport default {{", "it cannot be loaded: p.ts:2:17: "],
    ["throws further in", 'import "./q.ts"', "it cannot be loaded: q.ts:1:7: no database"],
    [
      "needs what is not there",
      'import "nothing-of-this-name"',
      "it cannot be loaded: Cannot find package 'nothing-of-this-name'",
    ],
    [
      "defines no tool",
      `import { defineTool } from "${import.meta.resolve("@spfunctions/kernel")}";\nexport default defineTool({ name: "a.b" })`,
      "it cannot be loaded: p.ts:2:16: invalid tool a.b: ",
    ],
  ])("that %s is refused by the real program too", async (_, text, why) => {
    const home = new Home();
    home.write("p.ts", text);
    home.write("q.ts", 'throw new Error("no database")');
    const { code, err } = await home.runBinary(["explain", "x.y", "--pack", "./p.ts"]);
    expect(code).toBe(2);
    expect(err).toMatch(/^error invalid_package: pack \.\/p\.ts: it cannot be loaded: /);
    expect(err).toContain(why);
    expect(err).not.toMatch(/^ +at /m);
  });

  test("can be a package that is installed where sf is run; one that is not is refused", async () => {
    const home = new Home();
    mkdirSync(home.path("node_modules/my-notes"), { recursive: true });
    mkdirSync(home.path("my-notes"));
    home.write("node_modules/my-notes/package.json", {
      name: "my-notes",
      type: "module",
      exports: "./index.js",
    });
    home.write(
      "node_modules/my-notes/index.js",
      `export { tools as default } from ${JSON.stringify(notesPack)};`,
    );
    const found = await home.runBinary(["call", "notes.read", "--pack", "my-notes", "--input", '{"id":7}']);
    expect({ code: found.code, out: JSON.parse(found.out) as unknown }).toStrictEqual({
      code: 0,
      out: { id: 7, text: "milk" },
    });
    const missing = await home.run(["call", "notes.read", "--pack", "other-notes"]);
    expect(missing).toStrictEqual({
      code: 2,
      out: "",
      err: "error invalid_package: pack other-notes: there is no such file here, and no such package\n",
    });
  });

  test("can be an address", async () => {
    const pack = pathToFileURL(notesPack).href;
    const { code } = await new Home().run(["call", "notes.read", "--pack", pack, "--input", '{"id":7}']);
    expect(code).toBe(0);
  });

  test("can be given several times; the same tool twice is refused", async () => {
    const home = new Home();
    const { code, err } = await home.run(["call", "notes.read", "--pack", notesPack, "--pack", notesPack]);
    expect(code).toBe(2);
    expect(err).toMatch(/^error invalid_manifest: .*notes\.read/);
  });
});
