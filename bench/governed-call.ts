// Aims: a verdict under 2 µs at 100 rules, a governed call in memory under 40 µs, and the ten-thousandth call of a process as
// fast as the tenth.
import { govern } from "@spfunctions/agent";
import type { AgentPolicy } from "@spfunctions/contracts";
import { bare, input, principal, tools } from "./bench-tools.ts";
import { type Benchmark, type Measurement, type Report, reportOf } from "./side-by-side.ts";

/** A hundred rules, of which only the last of each allowing list applies. */
const policy: AgentPolicy = {
  allow: [...Array.from({ length: 24 }, (_, index) => `other_${index}:read`), "orders:write"],
  deny: Array.from({ length: 25 }, (_, index) => `denied_${index}:write`),
  allowTools: [...Array.from({ length: 24 }, (_, index) => `other_${index}.*`), "bench.*"],
  denyTools: Array.from({ length: 25 }, (_, index) => `denied_${index}.*`),
  maxSideEffect: "user_write",
};

const governed = govern({ packs: [tools], policy, principal });

export const benchmarks: readonly (Benchmark | Measurement)[] = [
  {
    title: "a verdict under 100 rules",
    contenders: {
      "without an input": () => governed.explain("bench.write"),
      "with its input read, filled, redacted and hashed too": () => governed.explain("bench.write", input),
    },
  },
  {
    title: "a governed call in memory",
    isAsync: true,
    contenders: {
      "the bare function": async () => bare(input),
      "a free read": () => governed.call("bench.read", input),
      "a paid read": () => governed.call("bench.search", input),
      "a write": () => governed.call("bench.write", input),
    },
  },
  { title: "the nth call of one process, in memory", measure: nthCall },
];

async function nthCall(): Promise<Report> {
  const turns: Record<string, number[]> = { "call 10": [], "call 1,000": [], "call 10,000": [] };
  const moments = [10, 1000, 10_000];
  const window = 10;
  /* oxlint-disable no-await-in-loop -- one call after the other is what is measured */
  for (let round = 0; round < 11; round++) {
    const fresh = govern({ packs: [tools], policy, principal });
    for (let call = 1; call < 10_000 + window; call++) {
      const name = Object.keys(turns)[moments.indexOf(call)];
      if (name === undefined) {
        await fresh.call("bench.write", input);
        continue;
      }
      const start = process.hrtime.bigint();
      for (let more = 0; more < window; more++) await fresh.call("bench.write", input);
      turns[name]?.push(Number(process.hrtime.bigint() - start) / window);
    }
  }
  /* oxlint-enable no-await-in-loop */
  return reportOf("the nth call of one process, in memory", turns);
}
