import { exitCodes } from "@spfunctions/contracts";
import { configFolderOf, knownSigners } from "@spfunctions/host/installation";
import { readTrace } from "@spfunctions/kernel";
import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { accountOption, dataOption, jsonOption, keyOption } from "../command-line/options.ts";
import { checkSeal } from "../trace/check-seal.ts";
import { printVerification } from "../trace/print-verification.ts";
import { readTraceFile } from "../trace/read-trace-file.ts";
import { type JournalOptions, verifyJournal } from "../trace/verify-journal.ts";

type VerifyOptions = { readonly key?: readonly string[]; readonly json?: true };

export function addTraceVerify(trace: Command, context: CommandContext): void {
  trace
    .command("verify")
    .description("say whether a trace is what was written")
    .argument("[file]", "a trace, or - for the standard input; without one, the journal in the data folder")
    .addOption(keyOption())
    .addOption(accountOption())
    .addOption(dataOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf trace verify run.jsonl
  $ sf trace verify --data ./data
  $ sf trace verify run.jsonl --key 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo

ok: sealed and whole. open: whole as far as it goes, without a seal. broken: the first bad record is named.
A journal is checked against the keys that are given, else against those that are pinned and your own.
Exit codes: 0 ok or open, 1 there is no journal, 2 bad usage, 6 broken, or not signed by a key that was given.`,
    )
    .action(async (file: string | undefined, options: VerifyOptions & JournalOptions) => {
      context.exit(
        await (file === undefined ? verifyJournal(options, context) : verify(file, options, context)),
      );
    });
}

async function verify(
  file: string,
  { key: given = [], json }: VerifyOptions,
  { io, print }: CommandContext,
): Promise<number> {
  const { verification, seal } = await readTrace(await readTraceFile(file, io));
  const pinned = knownSigners(configFolderOf(io.env)).map(({ publicKey }) => publicKey);
  const isBroken = verification.status === "broken";
  const signature = isBroken ? undefined : checkSeal(seal, given.length > 0 ? given : pinned);
  const isRefused = signature?.status === "forged" || (given.length > 0 && signature?.status !== "authentic");
  if (json === true) print.json({ ok: !(isBroken || isRefused), ...verification, signature }, 2);
  else {
    printVerification(print, file, verification);
    if (signature !== undefined) {
      const style = isRefused ? "red" : signature.status === "authentic" ? "green" : "dim";
      print.out({ text: signature.status.replace("_", " "), style }, `: ${signature.detail}`);
    }
  }
  return isBroken || isRefused ? exitCodes.verificationFailed : exitCodes.done;
}
