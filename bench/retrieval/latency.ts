import { openSqliteSearchIndex, openSqliteStore } from "@spfunctions/host/store";
import { countWords, openInstallation, wordsOf } from "@spfunctions/kernel";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Memory } from "../../packages/agent/src/spectator/memory/memory.ts";
import { lotOf, type Meaning, textOf } from "./wordnet.ts";

/** What answers took, in milliseconds: half of them no longer than `p50`. */
export type Latency = {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
  /** Of the processor: what is left when others have the machine too. */
  readonly cpu50: number;
  readonly cpu95: number;
};

const accountId = "bench";
const installation = openInstallation(Buffer.alloc(32, 1));

/** Questions to so many memories, to the index alone and through the memory, in turns. */
export async function latencies(all: readonly Meaning[], count: number): Promise<Latency[]> {
  const folder = mkdtempSync(join(tmpdir(), "simplefunctions-bench-"));
  const store = await openSqliteStore({ folder });
  const search = await openSqliteSearchIndex({ folder });
  try {
    const memory = new Memory({ store, search, accountId, installation, limits: { batch: 1000 } });
    const meanings = all.slice(0, count);
    await memory.rememberAll(
      meanings.map((meaning) => ({ text: textOf(meaning), source: { type: "import", name: meaning.id } })),
    );
    const askIndex = (text: string) => search.query({ accountId, text, limit: 10 });
    const askMemory = (text: string) => memory.retrieve({ text, limit: 10 });
    const measured: Latency[] = [];
    for (const [kind, texts] of Object.entries(questionsOf(all, meanings))) {
      // oxlint-disable-next-line no-await-in-loop -- what runs at the same time is not measured alone
      const [index, whole] = await inTurns(texts, [askIndex, askMemory]);
      measured.push({ name: `${kind}: the index`, ...summary(index ?? []) });
      measured.push({ name: `${kind}: the memory`, ...summary(whole ?? []) });
    }
    return measured;
  } finally {
    await search.close();
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

function questionsOf(
  all: readonly Meaning[],
  meanings: readonly Meaning[],
): Record<string, readonly string[]> {
  const examples = all.toSorted((a, b) => lotOf(a) - lotOf(b)).flatMap((meaning) => meaning.examples);
  const having = countWords(meanings.flatMap((meaning) => [...new Set(wordsOf(textOf(meaning)))]));
  const commonest = [...having].toSorted(([, a], [, b]) => b - a).map(([word]) => word);
  const long = wordsOf(examples.slice(0, 20_000).join(" "));
  return {
    "a sentence": examples.slice(0, 200),
    "5 of the 10 commonest words": Array.from({ length: 100 }, (_, i) =>
      Array.from({ length: 5 }, (__, k) => commonest[(i * 3 + k * (1 + (i % 2))) % 10]).join(" "),
    ),
    "200 words of sentences": Array.from({ length: 100 }, (_, i) =>
      long.slice(i * 200, (i + 1) * 200).join(" "),
    ),
    "the 200 commonest words": Array.from({ length: 30 }, () => commonest.slice(0, 200).join(" ")),
  };
}

type Taken = { readonly ms: number; readonly cpu: number };

async function inTurns(
  texts: readonly string[],
  asks: readonly ((text: string) => Promise<unknown>)[],
): Promise<Taken[][]> {
  const taken: Taken[][] = asks.map(() => []);
  /* oxlint-disable no-await-in-loop -- what runs at the same time is not measured alone */
  for (const ask of asks) for (const text of texts.slice(0, 10)) await ask(text);
  for (const [round, text] of texts.entries()) {
    for (const turn of asks.keys()) {
      const place = (turn + round) % asks.length;
      const ask = asks[place] as (typeof asks)[number];
      const [begun, before] = [performance.now(), process.cpuUsage()];
      await ask(text);
      const { user, system } = process.cpuUsage(before);
      taken[place]?.push({ ms: performance.now() - begun, cpu: (user + system) / 1000 });
    }
  }
  /* oxlint-enable no-await-in-loop */
  return taken;
}

function summary(taken: readonly Taken[]): Omit<Latency, "name"> {
  const ms = taken.map((one) => one.ms);
  const cpu = taken.map((one) => one.cpu);
  return {
    p50: quantile(ms, 0.5),
    p95: quantile(ms, 0.95),
    cpu50: quantile(cpu, 0.5),
    cpu95: quantile(cpu, 0.95),
  };
}

function quantile(values: readonly number[], share: number): number {
  const inOrder = values.toSorted((a, b) => a - b);
  return inOrder[Math.floor(inOrder.length * share)] ?? Number.NaN;
}
