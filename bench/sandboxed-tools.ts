// What it costs that files, commands and pages are reached under law: each beside the bare thing it stands for.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { govern } from "@spfunctions/agent";
import { fsTools } from "@spfunctions/host/tools";
import { principal } from "./bench-tools.ts";
import type { Benchmark } from "./side-by-side.ts";

const root = mkdtempSync(join(tmpdir(), "sf-bench-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
const file = join(root, "notes.md");
writeFileSync(file, "All of it is written down.\n".repeat(100));

const governed = govern({
  packs: [fsTools({ root })],
  policy: { maxSideEffect: "user_write" },
  principal,
});

export const benchmarks: readonly Benchmark[] = [
  {
    title: "reading a file of 2.7 kB",
    isAsync: true,
    contenders: {
      readFile: () => readFile(file, "utf8"),
      "fs.read_text, governed, in memory": () => governed.call("fs.read_text", { path: "notes.md" }),
    },
  },
  {
    title: "writing a file of 2.7 kB",
    isAsync: true,
    contenders: {
      writeFile: () => writeFile(join(root, "bare.md"), "All of it is written down.\n".repeat(100)),
      "fs.write_text, governed, in memory, synced": () =>
        governed.call("fs.write_text", {
          path: "governed.md",
          text: "All of it is written down.\n".repeat(100),
          overwrite: true,
        }),
    },
  },
];
