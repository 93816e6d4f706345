// npm run bench -- [name of a benchmark file ...] [--json]
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { type Benchmark, formatReport, type Measurement, sideBySide } from "./side-by-side.ts";

const machinery = new Set(["run", "side-by-side", "bench-tools"]);
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
  names.map(
    (name) => import(`./${name}.ts`) as Promise<{ benchmarks: readonly (Benchmark | Measurement)[] }>,
  ),
);
const reports: object[] = [];
for (const [index, { benchmarks }] of files.entries()) {
  for (const benchmark of benchmarks) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, or they would measure each other
    const report = await ("measure" in benchmark ? benchmark.measure() : sideBySide(benchmark));
    if (values.json !== true) console.log(`${formatReport(report)}\n`);
    const { table: _forPeople, ...numbers } = report;
    reports.push({ benchmark: names[index], ...numbers });
  }
}
if (values.json === true) console.log(JSON.stringify(reports, null, 2));
