import { exitCodes } from "@spfunctions/contracts";
import { readTrace } from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import { installationIfAny } from "../seat/installation-if-any.ts";
import { knownKeys } from "../seat/known-keys.ts";
import { checkSeal } from "./check-seal.ts";
import { unverifiedText } from "./open-trace.ts";
import { printVerification } from "./print-verification.ts";
import { type TraceVerifyOptions, verifyJournal } from "./verify-journal.ts";

/** A trace, or without one every journal that is kept here. */
export async function verify(
  file: string | undefined,
  options: TraceVerifyOptions,
  context: CommandContext,
): Promise<number> {
  return file === undefined
    ? await verifyJournal(options, context)
    : await verifyFile(file, options, context);
}

async function verifyFile(
  file: string,
  { key: given = [], json, allowUnknownSigner, ...scope }: TraceVerifyOptions,
  context: CommandContext,
): Promise<number> {
  const { io, print } = context;
  const { text } = await unverifiedText(file, scope, context, () => installationIfAny(io)?.signer);
  const { verification, seal } = await readTrace(text);
  const isBroken = verification.status === "broken";
  // That something is not ours we can tell by our own key, whichever keys are given.
  const known = isBroken ? undefined : checkSeal(seal, knownKeys(io));
  const signature =
    known === undefined || known.status === "forged" || given.length === 0 ? known : checkSeal(seal, given);
  const isRefused = signature?.status === "forged" || (given.length > 0 && signature?.status !== "authentic");
  const isUnknown = !isRefused && allowUnknownSigner !== true && signature?.status === "signer_unknown";
  const isForged = signature?.status === "forged";
  const status = isForged ? ("forged" as const) : verification.status;
  if (json === true)
    print.json({ ok: !(isBroken || isRefused || isUnknown), ...verification, status, signature }, 2);
  else {
    // Whole it may be; it is not theirs.
    if (!isForged) printVerification(print, file, verification);
    if (signature !== undefined) {
      const style = isRefused || isUnknown ? "red" : signature.status === "authentic" ? "green" : "dim";
      print.out(
        { text: signature.status.replace("_", " "), style },
        `: ${isForged ? `${file}: ` : ""}${signature.detail}`,
      );
    }
  }
  if (isBroken || isRefused) return exitCodes.verificationFailed;
  if (isUnknown && json !== true)
    print.err("give the signer's public key with --key, or take it from anybody with --allow-unknown-signer");
  return isUnknown ? exitCodes.signerUnknown : exitCodes.done;
}
