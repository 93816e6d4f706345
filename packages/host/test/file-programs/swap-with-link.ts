// Swaps a folder for a link to another one and back, and a file in it for a link, as fast as it can, until it is ended.
import { renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";

const [folder = "", target = "", name = ""] = process.argv.slice(2);

/** Meanwhile somebody may have put something in its place: that goes. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    rmSync(to, { recursive: true, force: true });
    renameSync(from, to);
  }
}

function swap(path: string, to: string): void {
  try {
    move(path, `${path}.aside`);
    symlinkSync(to, path);
    unlinkSync(path);
  } catch {}
  try {
    move(`${path}.aside`, path);
  } catch {}
}

process.on("disconnect", () => process.exit());
process.send?.("ready");
const round = () => {
  for (let n = 0; n < 50; n += 1) {
    swap(folder, target);
    swap(`${folder}/${name}`, `${target}/${name}`);
  }
  setImmediate(round);
};
round();
