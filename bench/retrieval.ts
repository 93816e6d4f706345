// What long-term memory finds, and how fast. Recall is measured with WordNet, which `npm ci --prefix bench` installs: memories are words
// with their definitions; questions are sentences that somebody wrote as examples of use, and definitions of derived words. Vectors
// that are given are fused, because fused they find more than BM25 alone on the development half. With an embedder that is worse
// than words, they find less: whoever brings one measures it first.
// Aim: a question to 100,000 memories on disk is answered within 50 ms, whatever its words are.
import { type Latency, latencies } from "./retrieval/latency.ts";
import { dimension, learnVectors } from "./retrieval/piece-vectors.ts";
import { halves } from "./retrieval/questions.ts";
import { depths, type Recall, recallOf } from "./retrieval/recall.ts";
import { readWordNet, textOf } from "./retrieval/wordnet.ts";
import type { Measured, Measurement, Report } from "./side-by-side.ts";

const meanings = readWordNet();
const notThere = "WordNet is not installed: npm ci --prefix bench";

export const benchmarks: readonly Measurement[] = [
  { title: "how much of what fits is among the first 5 and 10", measure: recall },
  { title: "a question to 100,000 memories on disk", measure: latency },
];

async function recall(): Promise<Report> {
  const title = "how much of what fits is among the first 5 and 10";
  if (meanings === undefined) return { title, measured: [], table: `  ${notThere}`, notMeasured: [notThere] };
  const { development, test } = halves(meanings);
  const embedText = learnVectors(development.meanings.map(textOf));
  const embed = {
    model: `pieces-${dimension}`,
    embed: async (texts: readonly string[]) => texts.map(embedText),
  };
  const found = {
    development: await recallOf(development, embed),
    test: await recallOf(test, embed),
  };
  const measured = Object.entries(found).flatMap(([half, by]) => measuredOf(half, by));
  const width = Math.max(...measured.map(({ name }) => name.length));
  const lines = measured.map(
    ({ name, nsPerOp, ratio }) =>
      `  ${name.padEnd(width)}${(nsPerOp / 10).toFixed(1).padStart(8)} %${ratio.toFixed(2).padStart(8)} x`,
  );
  const sizes = `  ${development.meanings.length} memories in the development half, ${test.meanings.length} in the test half`;
  return { title, measured, table: [sizes, ...lines].join("\n") };
}

/** In thousandths; the ratio is to BM25 alone. */
function measuredOf(half: string, recalled: Recall): Measured[] {
  const [first = {}] = Object.values(recalled);
  return Object.keys(first).flatMap((kind) =>
    depths.flatMap((depth, place) =>
      Object.entries(recalled).map(([way, kinds]) => {
        const [share = 0, base = 0] = [kinds[kind]?.[place], first[kind]?.[place]];
        const name = `${half}: ${kind}, recall@${depth}, ${way}`;
        return { name, nsPerOp: share * 1000, ratio: share / base, unit: "‰" };
      }),
    ),
  );
}

async function latency(): Promise<Report> {
  const title = "a question to 100,000 memories on disk";
  if (meanings === undefined) return { title, measured: [], table: `  ${notThere}`, notMeasured: [notThere] };
  const taken = await latencies(meanings, 100_000);
  const [first] = taken;
  const measured = taken.flatMap(({ name, p50, p95, cpu50, cpu95 }) =>
    Object.entries({ p50, p95, "processor, p50": cpu50, "processor, p95": cpu95 }).map(([what, ms]) => ({
      name: `${name}, ${what}`,
      nsPerOp: ms * 1000,
      ratio: ms / (first?.p50 ?? Number.NaN),
      unit: "µs",
    })),
  );
  return { title, measured, table: tableOf(taken) };
}

function tableOf(taken: readonly Latency[]): string {
  const width = Math.max(...taken.map(({ name }) => name.length));
  const row = (name: string, cells: readonly string[]) =>
    `  ${name.padEnd(width)}${cells.map((cell) => cell.padStart(16)).join("")}`;
  const rows = taken.map(({ name, ...numbers }) =>
    row(
      name,
      Object.values(numbers).map((ms) => `${ms.toFixed(1)} ms`),
    ),
  );
  return [row("", ["p50", "p95", "processor, p50", "processor, p95"]), ...rows].join("\n");
}
