// An authenticated, governed, journaled read over a socket against a bare hono route that sends the same bytes. Both servers
// live in processes of their own and are asked in turns.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, type Load, type Target } from "./http/load-client.ts";
import type { Measured, Measurement, Report } from "./side-by-side.ts";

const path = "/api/bench/KXFEDDECISION-26SEP-H0";
const connections = 32;
const turns = 25;
const requestsPerTurn = 4000;
/** Until the heap is as large as it gets. */
const warmUp = 60_000;
const title = `a read over HTTP, ${connections} connections`;

export const benchmarks: readonly Measurement[] = [{ title, measure }];

async function measure(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "sf-bench-"));
  const governed = await start("governed", join(folder, "data"));
  const answer = await fetch(`${governed.target.url}${path}`, {
    headers: { authorization: `Bearer ${governed.target.key}` },
  });
  const bare = await start("bare", await answer.text());
  try {
    const loads = { bare: [] as Load[], governed: [] as Load[] };
    /* oxlint-disable no-await-in-loop -- what runs at the same time is not measured alone */
    for (const { target } of [bare, governed]) await load(target, warmUp, connections);
    const before = await memoryOf(governed.process);
    for (let turn = 0; turn < turns; turn++) {
      const order = [
        [bare, loads.bare],
        [governed, loads.governed],
      ] as const;
      for (const [{ target }, results] of turn % 2 === 0 ? order : order.toReversed())
        results.push(await load(target, requestsPerTurn, connections));
    }
    /* oxlint-enable no-await-in-loop */
    const after = await memoryOf(governed.process);
    return { title, measured: [...speedsOf(loads.bare, loads.governed), ...growth(before, after)] };
  } finally {
    for (const { process: child } of [bare, governed]) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function speedsOf(bare: readonly Load[], governed: readonly Load[]): Measured[] {
  const usual = pairOf("requests/s", (loads) => perSecond(loads, 0.5), bare, governed);
  const best = pairOf("requests/s, best turn", (loads) => perSecond(loads, 1), bare, governed);
  const slowest = pairOf("µs, p99", p99, bare, governed);
  return [...usual, ...best, ...slowest];
}

function pairOf(
  unit: string,
  measured: (loads: readonly Load[]) => number,
  bare: readonly Load[],
  governed: readonly Load[],
): Measured[] {
  return pair(unit, ["bare hono route", measured(bare)], ["governed read", measured(governed)]);
}

function perSecond(loads: readonly Load[], part: number): number {
  const speeds = loads.map((one) => one.perSecond);
  return percentile(speeds, part);
}

function p99(loads: readonly Load[]): number {
  const latencies = loads.flatMap((one) => one.latencies);
  return 1000 * percentile(latencies, 0.99);
}

function growth(before: Memory, after: Memory): Measured[] {
  const later = `${turns * requestsPerTurn} reads later`;
  return [
    ...pair("kB", ["governed, heap in use", before.heapUsed / 1000], [`  ${later}`, after.heapUsed / 1000]),
    ...pair("kB", ["governed, whole process", before.rss / 1000], [`  ${later}`, after.rss / 1000]),
  ];
}

type Named = readonly [name: string, value: number];

function pair(unit: string, [name, first]: Named, [other, second]: Named): Measured[] {
  return [
    { name, nsPerOp: first, ratio: 1, unit },
    { name: other, nsPerOp: second, ratio: second / first, unit },
  ];
}

type Server = { readonly process: ChildProcess; readonly target: Target };
type Memory = { readonly rss: number; readonly heapUsed: number };

async function start(kind: string, argument: string): Promise<Server> {
  const child = fork(join(import.meta.dirname, "http/server.ts"), [kind, argument], {
    execArgv: ["--conditions=source", "--expose-gc", "--disable-warning=ExperimentalWarning"],
  });
  const [said] = (await once(child, "message")) as [{ url: string; key: string }];
  return { process: child, target: { ...said, path } };
}

async function memoryOf(child: ChildProcess): Promise<Memory> {
  child.send("memory");
  const [memory] = (await once(child, "message")) as [Memory];
  return memory;
}

function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? Number.NaN;
}
