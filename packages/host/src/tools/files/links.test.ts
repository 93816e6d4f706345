// B28: no link is followed, wherever it stands and wherever it leads; what is no file is not opened.
import { execFileSync } from "node:child_process";
import { linkSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { canary, type FileDesk, faultOf, openFileDesk, refusalOf } from "../../../test/file-desk.ts";

const isRoot = process.getuid?.() === 0;

// proves LIVE-4.30
describe.each<NodeJS.Platform>(["linux", "darwin"])("B28: links as on %s", (platform) => {
  /** A link by the name `link`, and what it leads to. */
  const targets: readonly (readonly [string, (desk: FileDesk) => string])[] = [
    ["a file outside, absolute", ({ outside }) => join(outside, "canary.txt")],
    ["a file outside, relative", () => "../outside/canary.txt"],
    ["a folder outside", ({ outside }) => outside],
    ["a file inside", () => "inside.txt"],
    ["a folder inside", () => "folder"],
    ["a link to the outside", () => "chain"],
    ["nothing", () => "../outside/made.txt"],
    ["itself", () => "link"],
    ["the root", () => "."],
    ["this process's root", () => "/proc/self/root"],
  ];

  test.each(targets)(
    "a link to %s is refused and says so, at the end and on the way",
    async (_, targetOf) => {
      const desk = openFileDesk({ platform });
      mkdirSync(join(desk.root, "folder"));
      writeFileSync(join(desk.root, "inside.txt"), "inside");
      symlinkSync(join(desk.outside, "canary.txt"), join(desk.root, "chain"));
      const target = targetOf(desk);
      symlinkSync(target, join(desk.root, "link"));
      const tried = [
        desk.read("link"),
        desk.list("link"),
        desk.write("link", "x"),
        desk.write("link", "x", { overwrite: true }),
        desk.read("link/canary.txt"),
        desk.list("link/inner"),
        desk.write("link/new.txt", "x"),
        desk.write("link/canary.txt", "x", { overwrite: true }),
        desk.write("link/new/deep.txt", "x"),
      ];
      for (const fault of await Promise.all(tried.map(faultOf)))
        expect(fault).toMatchObject({
          code: "sandbox_denied",
          message: '"link" is a link; links are not followed',
          details: { path: "/path", reason: "link" },
        });
      expect(readlinkSync(join(desk.root, "link"))).toBe(target);
      desk.requireUntouched();
    },
  );

  test("a list shows a link as a link, and not how large what it leads to is", async () => {
    const desk = openFileDesk({ platform });
    symlinkSync(join(desk.outside, "canary.txt"), join(desk.root, "link"));
    expect((await desk.list()).entries).toStrictEqual([{ name: "link", type: "link" }]);
  });

  // proves LIVE-4.31
  test("a file that has another name outside is neither read nor overwritten", async () => {
    const desk = openFileDesk({ platform });
    writeFileSync(join(desk.outside, "..", "twice.txt"), canary);
    linkSync(join(desk.outside, "..", "twice.txt"), join(desk.root, "twice.txt"));
    expect(await faultOf(desk.read("twice.txt"))).toMatchObject({
      code: "sandbox_denied",
      message:
        '"twice.txt" has 2 names (hard links); copy it, or let an operator open such files with hardLinks: "read"',
      details: { reason: "hard_link" },
    });
    expect(await refusalOf(desk.write("twice.txt", "x", { overwrite: true }))).toBe(
      "sandbox_denied hard_link",
    );
    expect(desk.textIn("twice.txt")).toBe(canary);
  });
});

// proves LIVE-4.31
test("where an operator says so a file with several names is read, and still not overwritten", async () => {
  const desk = openFileDesk({ hardLinks: "read" });
  writeFileSync(join(desk.root, "one"), "both");
  linkSync(join(desk.root, "one"), join(desk.root, "two"));
  expect((await desk.read("two")).text).toBe("both");
  expect(await refusalOf(desk.write("two", "x", { overwrite: true }))).toBe("sandbox_denied hard_link");
});

describe("what is neither a file nor a folder is not opened, so that nothing waits and nothing wakes up", () => {
  async function answersOf(desk: FileDesk): Promise<unknown> {
    return {
      read: await refusalOf(desk.read("odd")),
      write: await refusalOf(desk.write("odd", "x")),
      replace: await refusalOf(desk.write("odd", "x", { overwrite: true })),
      list: await refusalOf(desk.list("odd")),
      below: await refusalOf(desk.write("odd/below", "x")),
      listed: (await desk.list()).entries,
      isStillOdd: !lstatSync(join(desk.root, "odd")).isFile(),
    };
  }

  const refused = {
    read: "sandbox_denied special_file",
    write: "sandbox_denied special_file",
    replace: "sandbox_denied special_file",
    list: "invalid_input not_folder",
    below: "invalid_input not_folder",
    listed: [{ name: "odd", type: "other" }],
    isStillOdd: true,
  };

  test("a FIFO", async () => {
    const desk = openFileDesk();
    execFileSync("mkfifo", [join(desk.root, "odd")]);
    expect(await answersOf(desk)).toStrictEqual(refused);
  });

  test("a socket", async () => {
    const desk = openFileDesk();
    const server = createServer();
    onTestFinished(() => void server.close());
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(join(desk.root, "odd"), resolve);
    await promise;
    expect(await answersOf(desk)).toStrictEqual(refused);
  });

  // Only the superuser makes devices.
  test.skipIf(!isRoot)("a device", async () => {
    const desk = openFileDesk();
    execFileSync("mknod", [join(desk.root, "odd"), "c", "1", "5"]);
    expect(await answersOf(desk)).toStrictEqual(refused);
  });
});
