import { page, plain, table } from "../scripts/markdown.ts";
import { proofs } from "./proofs.ts";
import { lastResult, type ProofResult } from "./results.ts";

const head = `Made by \`npm run generate\` from \`proofs/proofs.ts\` and what \`npm run prove -- … --keep\` has written. \`npm test\` runs a short form of each;
these run for minutes, with real processes, \`kill -9\`, PostgreSQL and the whole suite:

\`\`\`sh
npm run prove                                  # all of them, one after the other
npm run prove -- crash-truth --kills 50        # one, and how much of it
npm run prove -- killed-tree --seed 7          # the same again
npm run prove -- --list
\`\`\`

The exit code is 1 where a promise did not hold; what did not is in \`broken\`.`;

/** `docs/proofs.md`. */
export function printProofs(): string {
  const parts = Object.entries(proofs).flatMap(([name, { says }]) => {
    const result = lastResult(name);
    const last = result === undefined ? ["It has no result on record."] : printResult(result);
    return [`## ${name}`, says, ...last];
  });
  return page("# Proofs that take long", head, ...parts);
}

function printResult({ command, on, seconds, holds, report }: ProofResult): string[] {
  return [
    `Last run on ${on}, in ${seconds} s: **${holds ? "it holds" : "it does not hold"}**. \`${command}\``,
    table(
      ["counted", "result"],
      Object.entries(report).map(([name, value]) => [name, plain(printValue(value))]),
    ),
  ];
}

function printValue(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? "nothing" : value.map((one) => String(one)).join("; ");
  if (typeof value === "number") return value.toLocaleString("en", { maximumFractionDigits: 2 });
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .map(([name, one]) => `${name} ${printValue(one)}`)
      .join(", ");
  return String(value);
}
