// npm run bench -- [name of a benchmark file ...] [--json]
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { type Benchmark, formatReport, sideBySide } from "./side-by-side.ts";

const machinery = new Set(["run", "side-by-side"]);
const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: "boolean" } } });
const known = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => basename(file, ".ts"))
  .filter((name) => !machinery.has(name));
const unknown = positionals.find((name) => !known.includes(name));
if (unknown !== undefined) {
  console.error(`no benchmark ${unknown}; there are: ${known.join(", ")}`);
  process.exit(2);
}

const names = positionals.length > 0 ? positionals : known;
const files = await Promise.all(
  names.map((name) => import(`./${name}.ts`) as Promise<{ benchmarks: readonly Benchmark[] }>),
);
const reports = files.flatMap(({ benchmarks }, index) =>
  benchmarks.map((benchmark) => {
    const report = sideBySide(benchmark);
    if (values.json !== true) console.log(`${formatReport(report)}\n`);
    return { benchmark: names[index], ...report };
  }),
);
if (values.json === true) console.log(JSON.stringify(reports, null, 2));
