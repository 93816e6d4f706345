import { exitCodes, NotFoundError } from "@spfunctions/contracts";
import { type AccountVerification, problemsOf, verifyAccount } from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import type { Printer } from "../io/printer.ts";
import { knownKeys } from "../seat/known-keys.ts";
import { openToRead } from "../seat/open-store.ts";
import { type StorePlace, storePlaceOf } from "../seat/store-place.ts";
import { printVerification } from "./print-verification.ts";

/** As they were given. */
export type TraceVerifyOptions = {
  readonly key?: readonly string[];
  readonly data?: string;
  readonly store?: string;
  readonly account: string;
  readonly json?: true;
};

/** Looks through the whole journal of an account in a data folder, also while another process writes it. */
export async function verifyJournal(
  options: TraceVerifyOptions,
  { io, print }: CommandContext,
): Promise<number> {
  const { account, key: given = [], json } = options;
  const keys = given.length > 0 ? given : knownKeys(io);
  const verification = await look(storePlaceOf(options, io), account, keys);
  const { status, segments, missing, unfit, signed } = verification;
  const unsigned = given.length > 0 ? unsignedIn(verification) : 0;
  const ok = status !== "broken" && unsigned === 0;
  if (json === true) print.json({ ok, status, signed, segments, missing, unfit }, 2);
  else {
    printJournal(print, account, verification);
    if (unsigned > 0) {
      const detail = `: none of the given keys has signed ${unsigned} of the sealed segments`;
      print.out({ text: "not signed", style: ["bold", "red"] }, detail);
    }
  }
  return ok ? exitCodes.done : exitCodes.verificationFailed;
}

async function look(
  place: StorePlace,
  account: string,
  publicKeys: readonly string[],
): Promise<AccountVerification> {
  const store = await openToRead(place);
  try {
    const verification = await verifyAccount(store, account, publicKeys);
    if (verification.segments.length + verification.missing.length > 0) return verification;
    throw new NotFoundError(`there is no journal of account ${account} in ${place.called}`, {
      details: { reason: "no_journal" },
    });
  } finally {
    await store.close();
  }
}

function unsignedIn({ segments, signed }: AccountVerification): number {
  return segments.filter(({ verification }) => verification.status === "ok").length - signed;
}

function printJournal(print: Printer, account: string, verification: AccountVerification): void {
  const { status, segments, signed } = verification;
  for (const { stream, verification: found } of segments) printVerification(print, stream, found);
  for (const problem of problemsOf({ ...verification, segments: [] })) {
    print.out({ text: "broken", style: ["bold", "red"] }, `: ${problem}`);
  }
  const style = status === "broken" ? "red" : status === "ok" ? "green" : "yellow";
  const runs = segments.filter(({ stream }) => stream.startsWith("run_")).length;
  const counts = [counted(segments.length - runs, "segment"), ...(runs === 0 ? [] : [counted(runs, "run")])];
  print.out(
    { text: status, style: ["bold", style] },
    `: the journal of ${account}, ${counts.join(" and ")}, ${signed} signed by a known key`,
  );
}

function counted(count: number, name: string): string {
  return `${count} ${count === 1 ? name : `${name}s`}`;
}
