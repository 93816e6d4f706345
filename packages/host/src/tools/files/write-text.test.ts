import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { faultOf, openFileDesk, refusalOf, stateHere } from "../../../test/file-desk.ts";
import { temporaryName } from "./write-target.ts";

const modeOf = (path: string) => statSync(path).mode & 0o7777;

function withUmask(mask: number): void {
  const before = process.umask(mask);
  onTestFinished(() => void process.umask(before));
}

test("a text is written as it is, with the folders it lies in, and nothing else is left", async () => {
  const desk = openFileDesk();
  expect(await desk.write("a/b/../c/d.txt", "\ufeffgrüße\r\n")).toStrictEqual({
    path: "a/c/d.txt",
    bytes: 12,
    sandbox: stateHere,
  });
  expect(desk.textIn("a/c/d.txt")).toBe("\ufeffgrüße\r\n");
  expect(desk.namesIn()).toStrictEqual(["a"]);
  expect(desk.namesIn("a")).toStrictEqual(["c"]);
  expect(desk.namesIn("a/c")).toStrictEqual(["d.txt"]);
});

// proves LIVE-4.10
test("what is there stays unless overwrite is said, and both are whole", async () => {
  const desk = openFileDesk();
  await desk.write("a", "first");
  const fault = await faultOf(desk.write("a", "second"));
  expect(fault).toMatchObject({
    code: "invalid_input",
    message: '"a" is already there; pass overwrite: true to replace it',
    details: { path: "/path", reason: "exists" },
  });
  expect(desk.textIn("a")).toBe("first");
  await desk.write("a", "second", { overwrite: true });
  expect(desk.textIn("a")).toBe("second");
  expect(desk.namesIn()).toStrictEqual(["a"]);
});

test("of many that write one new name at once exactly one does", async () => {
  const desk = openFileDesk();
  const ends = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => desk.write("one", `by ${n}`)));
  const winners = ends.flatMap((end, n) => (end.status === "fulfilled" ? [n] : []));
  expect(winners).toHaveLength(1);
  expect(desk.textIn("one")).toBe(`by ${winners[0]}`);
  expect(desk.namesIn()).toStrictEqual(["one"]);
});

test("of many that replace one file at once all do, and one of the texts is there whole", async () => {
  const desk = openFileDesk();
  const texts = Array.from({ length: 20 }, (_, n) => `${n} `.repeat(5000));
  await Promise.all(texts.map((text) => desk.write("one", text, { overwrite: true })));
  expect(texts).toContain(desk.textIn("one"));
  expect(desk.namesIn()).toStrictEqual(["one"]);
});

describe("permissions", () => {
  test.each([
    [0o022, 0o644, 0o755],
    [0o077, 0o600, 0o700],
    [0o000, 0o644, 0o755],
  ])("under the umask %o a new file has %o and a new folder %o", async (mask, file, folder) => {
    const desk = openFileDesk();
    withUmask(mask);
    await desk.write("folder/file", "text");
    expect(modeOf(join(desk.root, "folder/file"))).toBe(file);
    expect(modeOf(join(desk.root, "folder"))).toBe(folder);
  });

  test.each([
    [0o600, 0o600],
    [0o755, 0o755],
    [0o664, 0o664],
    [0o6755, 0o755],
    [0o1777, 0o777],
  ])("a file with %o that is replaced has %o: no program becomes somebody else's", async (old, now) => {
    const desk = openFileDesk();
    writeFileSync(join(desk.root, "file"), "old");
    chmodSync(join(desk.root, "file"), old);
    await desk.write("file", "new", { overwrite: true });
    expect(modeOf(join(desk.root, "file"))).toBe(now);
  });

  // Only the superuser has others' files.
  test.skipIf(process.getuid?.() !== 0)("a file that is replaced stays with whom it belongs to", async () => {
    const desk = openFileDesk();
    const file = join(desk.root, "file");
    writeFileSync(file, "old");
    chmodSync(file, 0o640);
    chownSync(file, 1234, 4321);
    await desk.write("file", "new", { overwrite: true });
    const { uid, gid } = statSync(file);
    expect([uid, gid, modeOf(file)]).toStrictEqual([1234, 4321, 0o640]);
  });
});

test("a folder is not replaced, and the root is none that could be", async () => {
  const desk = openFileDesk();
  mkdirSync(join(desk.root, "folder"));
  for (const path of ["folder", "folder/", ".", ""])
    for (const overwrite of [true, false])
      expect(await refusalOf(desk.write(path, "x", { overwrite }))).toBe("invalid_input is_folder");
  writeFileSync(join(desk.root, "file"), "");
  expect(await refusalOf(desk.write("file/below", "x"))).toBe("invalid_input not_folder");
});

test("a path that can only be that of a folder is not written as a file", async () => {
  const desk = openFileDesk();
  for (const path of ["new/", "new//", "new/.", "a/new/..", `${desk.root}/new/`])
    expect(await faultOf(desk.write(path, "x"))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("is the path of a folder; give the file a name"),
      details: { path: "/path", reason: "is_folder" },
    });
  expect(desk.namesIn()).toStrictEqual([]);
  for (const path of ["a.", "...", "b/.c"]) await desk.write(path, "x");
  expect(desk.namesIn()).toStrictEqual(["...", "a.", "b"]);
});

test("a link that leads nowhere is something that is there", async () => {
  const desk = openFileDesk();
  symlinkSync("nowhere", join(desk.root, "link"));
  expect(await refusalOf(desk.write("link", "x"))).toBe("sandbox_denied link");
  expect(readlinkSync(join(desk.root, "link"))).toBe("nowhere");
});

test("a name with a control character is not written, nor any folder on its way", async () => {
  const desk = openFileDesk();
  for (const path of ["a/b\n", "a\u001b/b", "a/\u0085"])
    expect(await refusalOf(desk.write(path, "x"))).toBe("invalid_input control_character");
  expect(desk.namesIn()).toStrictEqual([]);
});

test("a text that is too large, or would not be text as a file, is refused before anything is made", async () => {
  const desk = openFileDesk({ limits: { writeBytes: 5 } });
  expect(await faultOf(desk.write("a/b", "ééé"))).toMatchObject({
    code: "invalid_input",
    message: "the text has 6 bytes, and at most 5 are written at once",
    details: { path: "/text", reason: "too_large" },
  });
  expect(await refusalOf(desk.write("a/b", "a\0b"))).toBe("invalid_input not_text");
  expect(desk.namesIn()).toStrictEqual([]);
  expect(await desk.write("a/b", "ééa")).toMatchObject({ bytes: 5 });
});

test("a write that is given up leaves what was there, and nothing half done, wherever it was", async () => {
  const desk = openFileDesk();
  mkdirSync(join(desk.root, "folder"));
  await desk.write("folder/a", "old");
  const replace = async (asked: number) => {
    const terms = { overwrite: true, signal: givesUpAfter(asked) };
    const end = await desk.write("folder/a", "new", terms).then(
      () => "done",
      (error: Error) => error.message,
    );
    return [end, desk.textIn("folder/a"), ...desk.namesIn("folder")];
  };
  for (const asked of [1, 2, 3]) expect(await replace(asked)).toStrictEqual(["given up", "old", "a"]);
  expect(await replace(4)).toStrictEqual(["done", "new", "a"]);
});

/** A signal that is given up when it has been asked so often. */
function givesUpAfter(times: number): AbortSignal {
  let asked = 0;
  const { signal } = new AbortController();
  signal.throwIfAborted = () => {
    asked += 1;
    if (asked === times) throw new Error("given up");
  };
  return signal;
}

const diskError = Object.assign(new Error("EIO"), { code: "EIO", syscall: "fsync" });

/** What files and folders are synced by. */
async function watchSyncs(folder: string) {
  const handle = await open(folder);
  await handle.close();
  const sync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, "sync");
  onTestFinished(() => sync.mockRestore());
  return sync;
}

test("where the disk fails after the text has its name, nobody is told that nothing has happened", async () => {
  const desk = openFileDesk();
  // The file's own comes first, then that of its folder.
  (await watchSyncs(desk.root)).mockResolvedValueOnce().mockRejectedValueOnce(diskError);
  expect(await refusalOf(desk.write("a", "new"))).toBe("recovery_needed not_synced");
  expect(desk.textIn("a")).toBe("new");
  expect(desk.namesIn()).toStrictEqual(["a"]);
});

test("where the disk fails before that, nothing has happened", async () => {
  const desk = openFileDesk();
  await desk.write("a", "old");
  (await watchSyncs(desk.root)).mockRejectedValueOnce(diskError);
  expect(await refusalOf(desk.write("a", "new", { overwrite: true }))).toBe("upstream_error disk_error");
  expect(desk.textIn("a")).toBe("old");
  expect(desk.namesIn()).toStrictEqual(["a"]);
});

test("what an earlier attempt at the same effect left is in nobody's way", async () => {
  const desk = openFileDesk();
  writeFileSync(join(desk.root, temporaryName("eff_1")), "half");
  await desk.write("a", "whole", { effectId: "eff_1" });
  expect(desk.namesIn()).toStrictEqual(["a"]);
});

test("what is called like a write under way is known by its name", () => {
  expect(temporaryName("eff_1")).toMatch(/^\.sf-write-[0-9a-f]{32}\.tmp$/);
});

test.each([process.platform, "darwin"] as const)(
  "a root that is no folder any more is the operator's to make again, as on %s",
  async (platform) => {
    const desk = openFileDesk({ platform });
    const requireGone = async () => {
      for (const act of [() => desk.write("a", "x"), () => desk.read("canary.txt"), () => desk.list()])
        expect(await refusalOf(act())).toBe("host_configuration_needed no_root");
    };
    rmSync(desk.root, { recursive: true });
    await requireGone();
    writeFileSync(desk.root, "a file");
    await requireGone();
    rmSync(desk.root);
    symlinkSync(desk.outside, desk.root);
    await requireGone();
    expect(readFileSync(join(desk.outside, "canary.txt"), "utf8")).toContain("canary");
    desk.requireUntouched();
  },
);
