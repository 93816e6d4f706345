import fs, { mkdirSync, readlinkSync, statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { dataFolder } from "../../test/data-folder.ts";
import { makePrivateFolder } from "./make-private-folder.ts";

/** The paths that are synced from now on, with what is in them at that moment. */
function watchSyncs(): (readonly [path: string, names: readonly string[]])[] {
  const synced: (readonly [string, readonly string[]])[] = [];
  const sync = fs.fsyncSync;
  const spy = vi.spyOn(fs, "fsyncSync").mockImplementation((descriptor) => {
    const path = readlinkSync(`/proc/self/fd/${descriptor}`);
    synced.push([path, fs.readdirSync(path)]);
    sync(descriptor);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return synced;
}

test("every folder that was missing is made, for its owner alone", () => {
  const base = dataFolder();
  mkdirSync(join(base, "there"), { mode: 0o755 });
  makePrivateFolder(join(base, "there", "a", "b"));
  const modes = ["there", "there/a", "there/a/b"].map((path) => statSync(join(base, path)).mode & 0o777);
  expect(modes).toStrictEqual([0o755, 0o700, 0o700]);
});

test.skipIf(process.platform !== "linux")(
  "a power cut takes no folder back: each one above is synced once there is something new in it",
  () => {
    const base = dataFolder();
    const synced = watchSyncs();
    makePrivateFolder(join(base, "a", "b", "c"));
    expect(synced).toStrictEqual([
      [base, ["a"]],
      [join(base, "a"), ["b"]],
      [join(base, "a", "b"), ["c"]],
    ]);
    makePrivateFolder(join(base, "a", "b", "c"));
    expect(synced.length).toBe(3);
  },
);

test.skipIf(process.platform !== "linux")(
  "where no folder can be made it says so, and comes to an end",
  () => {
    expect(() => makePrivateFolder("/proc/nope/deeper")).toThrow("ENOENT");
  },
);
