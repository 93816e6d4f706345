// Whatever a call comes to, nothing that it opened stays open, and nothing that it began stays behind.
import { linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileDesk } from "../../../test/file-desk.ts";

/** What this process has open below a folder. */
function openBelow(folder: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((number) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${number}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });
}

test.skipIf(process.platform !== "linux").each<NodeJS.Platform>(["linux", "darwin"])(
  "hundreds of calls that end well and badly, as on %s",
  async (platform) => {
    const desk = openFileDesk({ platform, isInMemory: true, limits: { scannedNames: 3 } });
    const { root } = desk;
    mkdirSync(join(root, "folder"));
    for (const name of ["a", "b", "c", "d", "e"]) writeFileSync(join(root, "folder", name), name);
    writeFileSync(join(root, "binary"), "\0");
    linkSync(join(root, "folder/a"), join(root, "twice"));
    symlinkSync("folder", join(root, "link"));
    const signal = AbortSignal.abort(new Error("given up"));
    const acts = [
      () => desk.read("folder/b"),
      () => desk.read("folder/b", 1),
      () => desk.read("folder"),
      () => desk.read("binary"),
      () => desk.read("twice"),
      () => desk.read("link/b"),
      () => desk.read("folder/none"),
      () => desk.read("folder/b/none"),
      () => desk.read("../x"),
      () => desk.list("folder"),
      () => desk.list("binary"),
      () => desk.list("none"),
      () => desk.write("folder", "x"),
      () => desk.write("folder/b", "x"),
      () => desk.write("folder/b", "x", { overwrite: true }),
      () => desk.write("twice", "x", { overwrite: true }),
      () => desk.write("link/x", "x"),
      () => desk.write("made/x", "x", { signal }),
      () => desk.write("folder/b", "x", { overwrite: true, signal }),
    ];
    for (let n = 0; n < 20; n += 1) await Promise.allSettled(acts.map((act) => act()));
    expect(openBelow(root)).toStrictEqual([]);
    expect(desk.namesIn()).toStrictEqual(["binary", "folder", "link", "twice"]);
    expect(desk.namesIn("folder")).toStrictEqual(["a", "b", "c", "d", "e"]);
  },
);
