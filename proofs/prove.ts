// npm run prove -- [name …] [--kills N] [--seed N] … [--keep]: the long form of the proofs that `npm test` runs in short.
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { proofs } from "./proofs.ts";
import { keepResult } from "./results.ts";

const names = Object.keys(proofs);
const amounts = [...new Set(Object.values(proofs).flatMap((proof) => Object.keys(proof.amounts)))];
const options: ParseArgsOptionsConfig = {
  ...Object.fromEntries(amounts.map((amount) => [amount, { type: "string" as const }])),
  keep: { type: "boolean" },
  list: { type: "boolean" },
};
const { values, positionals } = parseArgs({ options, allowPositionals: true });

if (values["list"] === true) {
  for (const [name, { says, amounts: usual }] of Object.entries(proofs)) {
    console.log(
      `${name} ${Object.keys(usual)
        .map((amount) => `[--${amount} N]`)
        .join(" ")}\n  ${says}`,
    );
  }
  process.exit(0);
}
for (const name of positionals) {
  if (!names.includes(name)) refuse(`there is no proof "${name}"; there are: ${names.join(", ")}`);
}

let hold = true;
for (const name of positionals.length === 0 ? names : positionals) {
  // oxlint-disable-next-line no-await-in-loop -- one at a time: each has the machine to itself
  hold = (await prove(name)) && hold;
}
process.exit(hold ? 0 : 1);

async function prove(name: string): Promise<boolean> {
  const proof = proofs[name];
  if (proof === undefined) return false;
  const given = { ...proof.amounts };
  for (const amount of Object.keys(given)) given[amount] = amountOf(amount) ?? given[amount] ?? 0;
  const command = [
    "npm run prove --",
    name,
    ...Object.entries(given).map(([one, many]) => `--${one} ${many}`),
  ].join(" ");
  console.log(command);
  const began = Date.now();
  const { report, holds } = await proof.prove(given, (line) => console.log(`  ${line.trimEnd()}`));
  const seconds = Math.round((Date.now() - began) / 1000);
  console.log(report, holds ? `\n${name} holds, in ${seconds} s` : `\n${name} DOES NOT HOLD`);
  if (values["keep"] === true) {
    keepResult(name, {
      command,
      on: new Date().toISOString().slice(0, 10),
      seconds,
      holds,
      report: report as Record<string, unknown>,
    });
  }
  return holds;
}

function amountOf(name: string): number | undefined {
  const text = values[name];
  if (typeof text !== "string") return undefined;
  const amount = Number(text);
  if (!Number.isSafeInteger(amount) || amount < 0) refuse(`--${name} takes a whole number, not "${text}"`);
  return amount;
}

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}
