// The real program: what asks for nothing but what can be asked is answered from the outline alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { Home, notesPack } from "../test-data/run-sf.ts";

const program = join(import.meta.dirname, "../bin/sf.mjs");

/** The modules that a command line loads, without Node's own. */
async function loadedBy(argv: readonly string[]): Promise<string[]> {
  const watch = `import { registerHooks } from "node:module";
registerHooks({ load: (url, context, next) => (console.error("loaded " + url), next(url, context)) });`;
  const child = spawn(
    process.execPath,
    [
      "--conditions=source",
      "--import",
      `data:text/javascript,${encodeURIComponent(watch)}`,
      program,
      ...argv,
    ],
    { env: new Home().env, stdio: ["ignore", "ignore", "pipe"] },
  );
  const [said] = await Promise.all([text(child.stderr), once(child, "close")]);
  return [...said.matchAll(/^loaded (file:.*)$/gm)].map(([, url = ""]) => url);
}

test.each([[[]], [["--help"]], [["-h"]], [["help"]], [["--version"]]])(
  "sf %j is the same at once and by the whole program",
  async (argv) => {
    const home = new Home();
    expect(await home.runBinary(argv)).toMatchObject(await home.run(argv));
  },
);

describe("to answer at once", () => {
  test.each([[[]], [["--help"]], [["--version"]]])(
    "%j takes the outline, and no other package",
    async (argv) => {
      const loaded = await loadedBy(argv);
      expect(loaded.filter((url) => !url.includes("/commander/")).map((url) => basename(url))).toStrictEqual([
        "sf.mjs",
        "main.ts",
        "answer-at-once.ts",
        "program.ts",
        "wrapped-help.ts",
        "program-outline.ts",
      ]);
    },
  );

  test("is for nothing else: what needs a command goes the whole way", async () => {
    const whole = await Promise.all([["help", "call"], ["cal"], [""]].map(loadedBy));
    for (const loaded of whole) expect(loaded.map((url) => basename(url))).toContain("run-process.ts");
  });

  test("a command loads no other command, and what it runs only when it runs", async () => {
    const loaded = await loadedBy(["explain", "notes.read", "--pack", notesPack]);
    const commands = loaded.filter((url) => url.includes("/cli/src/commands/")).map((url) => basename(url));
    expect(commands).toStrictEqual(["explain.ts"]);
    expect(loaded.filter((url) => /packages\/(?:server|markets)\//.test(url))).toStrictEqual([]);
  });
});

describe("a page that cannot be written", () => {
  test("is told of as any answer is, and exits with 1", async () => {
    const full = openSync("/dev/full", "w");
    const running = new Home().start(["--help"], {}, full);
    closeSync(full);
    expect(await running.ended).toMatchObject({
      code: 1,
      err: "error host_configuration_needed: the standard output cannot be written to (ENOSPC): the answer is lost, what was done is not; make room, or write elsewhere\n",
    });
  });

  test("is no news where nobody reads any more", async () => {
    const running = new Home().start(["--help"]);
    running.child.stdout.destroy();
    expect(await running.ended).toMatchObject({ code: 0, err: "" });
  });
});
