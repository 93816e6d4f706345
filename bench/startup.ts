// How long `sf` takes before it has answered, against a Node that does nothing. Aim: three times as long for `sf --help`, five
// times for `sf explain` on a pack. Real processes in turns, and the median of each; processor time beside the clock's, as that
// is what stays the same where a machine has other things to do.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Measurement, type Report, reportOf } from "./side-by-side.ts";

const root = resolve(import.meta.dirname, "..");
const program = join(root, "packages/cli/bin/sf.mjs");
const rounds = 31;

/** What a process is started with. */
type Start = { readonly argv: readonly string[]; readonly env?: Readonly<Record<string, string>> };
type Taken = Record<"clock" | "processor", Record<string, number[]>>;

let taken: Taken | undefined;

/** Both come from the same processes. */
const measurementOf = (title: string, kind: keyof Taken): Measurement => ({
  title,
  measure: async () => inMilliseconds(reportOf(title, (taken ??= measure())[kind])),
});

export const benchmarks: readonly Measurement[] = [
  measurementOf("from the start of sf to its end", "clock"),
  measurementOf("processor time of the same", "processor"),
];

function measure(): Taken {
  const folder = mkdtempSync(join(tmpdir(), "sf-bench-"));
  try {
    const starts = Object.entries(startsIn(folder));
    const times: Taken = { clock: {}, processor: {} };
    // Code that is kept compiled is kept by the first.
    for (const [, start] of starts) run(start, folder);
    for (let round = 0; round < rounds; round++) {
      for (const turn of starts.keys()) {
        const [name, start] = starts[(turn + round) % starts.length] as [string, Start];
        const { clock, processor } = run(start, folder);
        (times.clock[name] ??= []).push(clock);
        (times.processor[name] ??= []).push(processor);
      }
    }
    return times;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function startsIn(folder: string): Record<string, Start> {
  mkdirSync(join(folder, ".cache"));
  // The processor's time has no other way out of a process that has ended.
  const told = 'process.on("exit", () => fs.writeSync(3, JSON.stringify(process.cpuUsage())))';
  writeFileSync(join(folder, "tell.cjs"), `const fs = require("node:fs"); ${told};`);
  const isFresh = isBuilt();
  if (!isFresh)
    console.error(
      "sf is not built, or its sources are newer: only they are measured. npm run build, then again.",
    );
  return {
    "node -e 0": { argv: ["-e", "0"] },
    ...(isFresh && formOf("built", "dist/index.js", [], folder)),
    ...formOf("sources", "src/index.ts", ["--conditions=source"], folder),
  };
}

/** One form of the program, with a pack that stands on the same form of the library. */
function formOf(
  form: string,
  entry: string,
  flags: readonly string[],
  folder: string,
): Record<string, Start> {
  const library = pathToFileURL(join(root, "packages/agent", entry)).href;
  const pack = join(folder, `${form}.mjs`);
  writeFileSync(pack, packOn(library));
  const explain = [...flags, program, "explain", "notes.read", "--pack", pack];
  return {
    [`sf --help, ${form}`]: { argv: [...flags, program, "--help"] },
    [`sf explain, ${form}`]: { argv: explain },
    [`sf explain, ${form}, no code kept`]: { argv: explain, env: { NODE_DISABLE_COMPILE_CACHE: "1" } },
  };
}

function packOn(library: string): string {
  const tool = {
    name: "notes.read",
    description: "Reads a note.",
    input: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
    output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    permissions: ["notes:read"],
    sideEffect: "none",
    costEffect: "none",
  };
  return `import { defineTool } from ${JSON.stringify(library)};
export default defineTool({ ...${JSON.stringify(tool)}, run: () => ({ text: "milk" }) });`;
}

function run({ argv, env }: Start, folder: string): Record<keyof Taken, number> {
  const begin = process.hrtime.bigint();
  const { status, stderr, output } = spawnSync(
    process.execPath,
    ["--require", join(folder, "tell.cjs"), ...argv],
    { cwd: folder, env: { HOME: folder, ...env }, stdio: ["ignore", "ignore", "pipe", "pipe"] },
  );
  const clock = Number(process.hrtime.bigint() - begin);
  if (status !== 0) throw new Error(`${argv.join(" ")} has failed: ${String(stderr)}`);
  const { user, system } = JSON.parse(String(output[3])) as NodeJS.CpuUsage;
  return { clock, processor: (user + system) * 1000 };
}

function isBuilt(): boolean {
  return readdirSync(join(root, "packages")).every((name) => {
    const folder = join(root, "packages", name);
    const built = globSync("dist/**/*.js", { cwd: folder }).map((file) => changedAt(folder, file));
    const sources = globSync("src/**/*.ts", { cwd: folder })
      .filter((file) => !file.endsWith(".test.ts"))
      .map((file) => changedAt(folder, file));
    return Math.min(...built) > Math.max(...sources);
  });
}

function changedAt(folder: string, file: string): number {
  return statSync(join(folder, file)).mtimeMs;
}

function inMilliseconds({ title, measured }: Report): Report {
  return { title, measured: measured.map((one) => ({ ...one, nsPerOp: one.nsPerOp / 1e6, unit: "ms" })) };
}
