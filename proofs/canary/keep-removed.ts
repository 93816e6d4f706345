// Loaded before everything else in every process of a run: what is removed below the folder for temporary files is set aside
// instead, so that it can be searched afterwards.
import fs, { type PathLike, type RmOptions } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

const kept = process.env["SF_CANARY_KEPT"] ?? "";
const below = join(tmpdir(), "/");
let count = 0;

function setAside(path: PathLike): void {
  const from = resolve(String(path));
  if (!from.startsWith(below) || !fs.existsSync(from)) return;
  const to = join(kept, `${process.pid}-${performance.now()}-${++count}-${basename(from)}`);
  try {
    fs.renameSync(from, to);
  } catch {
    // Another file system, such as a disk made to be full.
    fs.cpSync(from, to, { recursive: true });
  }
}

if (kept !== "") {
  const { rmSync } = fs;
  const { rm } = fs.promises;
  fs.rmSync = (path: PathLike, options?: RmOptions) => {
    setAside(path);
    rmSync(path, { ...options, force: true });
  };
  fs.promises.rm = async (path: PathLike, options?: RmOptions) => {
    setAside(path);
    await rm(path, { ...options, force: true });
  };
  syncBuiltinESMExports();
}
