// Writes a file over and over, each time another text, and says so before each one begins; whoever started it ends it somewhere.
import { openFileSandbox } from "../../src/tools/files/fs-tools.ts";
import { writeText } from "../../src/tools/files/write-text.ts";

const [root = "", overwrite] = process.argv.slice(2);
const sandbox = openFileSandbox({ root });
const { signal } = new AbortController();
process.on("disconnect", () => process.exit());
for (let n = 1; ; n += 1) {
  const path = overwrite === "overwrite" ? "file" : `file-${n}`;
  const input = { path, text: `${n}\n`.repeat(20_000), overwrite: overwrite === "overwrite" };
  if (n === 2) process.send?.("ready");
  // oxlint-disable-next-line no-await-in-loop
  await writeText(sandbox, input, { signal, effectId: `eff_${n}` });
}
