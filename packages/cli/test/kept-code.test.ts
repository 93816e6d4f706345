// The real program, and the folder in which it keeps compiled code for its next start.
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Home, notesPack } from "../test-data/run-sf.ts";

const kept = "simplefunctions/compiled";
/** Nothing beside what the program does itself. */
const keepsNothing = { NODE_COMPILE_CACHE: "" };

/** A home with a cache folder, which is where the person is. */
function homeWithCache(): { readonly home: Home; readonly caches: string } {
  const home = new Home(keepsNothing);
  const caches = home.path("home/.cache");
  mkdirSync(caches, { mode: 0o700 });
  return { home, caches };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
}

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("compiled code is kept for its owner alone, and read again", async () => {
  const { home, caches } = homeWithCache();
  const first = await home.runBinary(["--version"]);
  expect([join(caches, "simplefunctions"), join(caches, kept)].map(mode)).toStrictEqual(["700", "700"]);
  const files = filesIn(join(caches, kept));
  expect(files.length).toBeGreaterThan(0);
  expect(await home.runBinary(["--version"])).toStrictEqual(first);
  expect(filesIn(join(caches, kept))).toStrictEqual(files);
});

test("it is code, and nothing that a call was given or has answered", async () => {
  const { home, caches } = homeWithCache();
  home.write("policy.json", { maxSideEffect: "user_write" });
  const said = "only-in-this-call";
  const argv = ["call", "notes.add", "--pack", notesPack, "--policy", "policy.json", "--input"];
  expect(await home.runBinary([...argv, JSON.stringify({ text: said })])).toMatchObject({ code: 0 });
  const files = filesIn(join(caches, kept)).map((file) => readFileSync(file));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((content) => content.includes(said) || content.includes(home.folder))).toStrictEqual(
    [],
  );
});

test("where XDG_CACHE_HOME says, it is kept there", async () => {
  const { home, caches } = homeWithCache();
  mkdirSync(home.path("xdg"), { mode: 0o700 });
  await home.start(["--version"], { XDG_CACHE_HOME: home.path("xdg") }).ended;
  expect(filesIn(home.path(`xdg/${kept}`)).length).toBeGreaterThan(0);
  expect(readdirSync(caches)).toStrictEqual([]);
});

describe("nothing is kept", () => {
  test("in a home that has no cache folder: none is begun", async () => {
    const home = new Home(keepsNothing);
    expect(await home.runBinary(["--help"])).toMatchObject({ code: 0, err: "" });
    expect(readdirSync(home.path("home"))).toStrictEqual([]);
  });

  test.each([
    ["for whoever wants none", (home: Home) => void home, { NODE_DISABLE_COMPILE_CACHE: "1" }],
    ["where others can put something else in its place", (home: Home) => chmodSync(home.folder, 0o777)],
    ["in a cache folder that others can write", (home: Home) => chmodSync(home.path("home/.cache"), 0o770)],
    [
      "in a folder of ours that others can look into",
      (home: Home) => {
        mkdirSync(home.path("home/.cache/simplefunctions"));
        chmodSync(home.path("home/.cache/simplefunctions"), 0o755);
      },
    ],
    [
      "behind a link",
      (home: Home) => {
        mkdirSync(home.path("elsewhere"), { mode: 0o700 });
        mkdirSync(home.path("elsewhere/compiled"), { mode: 0o700 });
        symlinkSync(home.path("elsewhere"), home.path("home/.cache/simplefunctions"));
      },
    ],
    [
      "where a file has its name",
      (home: Home) => writeFileSync(home.path("home/.cache/simplefunctions"), "", { mode: 0o600 }),
    ],
    ["without a home", (home: Home) => void home, { HOME: "" }],
    ["in a place that depends on where one stands", (home: Home) => void home, { XDG_CACHE_HOME: "home" }],
  ] as readonly [string, (home: Home) => void, Record<string, string>?][])(
    "%s, and sf answers as ever",
    async (_, prepare, env = {}) => {
      const { home } = homeWithCache();
      prepare(home);
      const before = filesIn(home.folder);
      expect(await home.start(["--help"], env).ended).toMatchObject({ code: 0, err: "" });
      expect(filesIn(home.folder)).toStrictEqual(before);
    },
  );
});
