// Runs one of the examples by its name, in a process of its own as whoever copies it would; or says which there are.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../examples");
const mainOf = (story) => join(folder, story, "main.ts");
const stories = readdirSync(folder).filter((name) => existsSync(mainOf(name)));
const [story] = process.argv.slice(2);
if (stories.includes(story)) {
  const { status } = spawnSync(process.execPath, ["--conditions=source", mainOf(story)], {
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
} else {
  console.error(`npm run -s example -- <story>, which is one of: ${stories.join(", ")}`);
  process.exitCode = 2;
}
