import { proofs } from "./proofs.ts";
import { lastResult, type ProofResult } from "./results.ts";

/** `docs/proofs.md`. */
export function printProofs(): string {
  const parts = Object.entries(proofs).map(([name, { says }]) => {
    const result = lastResult(name);
    const last = result === undefined ? "It has no result on record.\n" : printResult(result);
    return `## ${name}\n\n${says}\n\n${last}`;
  });
  return `# Proofs that take long

Made by \`npm run generate\` from \`proofs/proofs.ts\` and what \`npm run prove -- … --keep\` has written. \`npm test\` runs a short form of each;
these run for minutes, with real processes, \`kill -9\`, PostgreSQL and the whole suite:

\`\`\`sh
npm run prove                                  # all of them, one after the other
npm run prove -- crash-truth --kills 50        # one, and how much of it
npm run prove -- killed-tree --seed 7          # the same again
npm run prove -- --list
\`\`\`

The exit code is 1 where a promise did not hold; what did not is in \`broken\`.

${parts.join("\n")}`;
}

function printResult({ command, on, seconds, holds, report }: ProofResult): string {
  const facts = Object.entries(report).map(([name, value]) => `| ${name} | ${printValue(value)} |`);
  return `Last run on ${on}, in ${seconds} s: **${holds ? "it holds" : "it does not hold"}**. \`${command}\`

| | |
|---|---|
${facts.join("\n")}
`;
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
