import { exitCodes, NotFoundError } from "@spfunctions/contracts";
import { type AccountVerification, problemsOf, verifyAccount } from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import type { Printer } from "../io/printer.ts";
import { knownKeys } from "../seat/known-keys.ts";
import { isNoStore, openToRead } from "../seat/open-store.ts";
import { type JournalPlace, journalPlacesOf } from "./journal-places.ts";
import { printVerification } from "./print-verification.ts";
import { accountsIn } from "./open-journals.ts";
import { alsoHere } from "./whose-none.ts";

/** As they were given. */
export type TraceVerifyOptions = {
  readonly key?: readonly string[];
  readonly data?: string;
  readonly store?: string;
  /** Everybody's unless given. */
  readonly account?: string;
  /** A trace that is signed by a key that is not known here is taken, too. */
  readonly allowUnknownSigner?: true;
  readonly json?: true;
};

/** Looks through whole journals wherever they are kept here, or in the place that is named, also while another process writes them. */
export async function verifyJournal(options: TraceVerifyOptions, context: CommandContext): Promise<number> {
  const { io, print } = context;
  const { key: given = [], json } = options;
  const keys = given.length > 0 ? given : knownKeys(io);
  const looked = await look(options, context, keys);
  const all = looked.map(({ verification }) => verification);
  const segments = all.flatMap((one) => one.segments);
  const signed = all.reduce((sum, one) => sum + one.signed, 0);
  const unsigned = given.length > 0 ? sealedIn(segments) - signed : 0;
  const status = (["broken", "open"] as const).find((bad) => all.some((one) => one.status === bad)) ?? "ok";
  const ok = status !== "broken" && unsigned === 0;
  if (json === true) {
    const [missing, unfit] = [all.flatMap((one) => one.missing), all.flatMap((one) => one.unfit)];
    const where = [...new Set(looked.map((one) => one.where))];
    const accounts = [...new Set(looked.map((one) => one.account))];
    print.json({ ok, where, accounts, status, signed, segments, missing, unfit }, 2);
  } else {
    for (const { where, isNamed, account, verification } of looked)
      printJournal(print, isNamed ? account : `${account} in ${where}`, verification);
    if (unsigned > 0) {
      const detail = `: none of the given keys has signed ${unsigned} of the sealed segments`;
      print.out({ text: "not signed", style: ["bold", "red"] }, detail);
    }
  }
  return ok ? exitCodes.done : exitCodes.verificationFailed;
}

type Looked = {
  readonly where: string;
  readonly isNamed: boolean;
  readonly account: string;
  readonly verification: AccountVerification;
};

async function look(
  { account, ...given }: TraceVerifyOptions,
  { io }: CommandContext,
  publicKeys: readonly string[],
): Promise<Looked[]> {
  const found: Looked[] = [];
  const accounts: string[] = [];
  const places = journalPlacesOf(given, io);
  for (const place of places) {
    // oxlint-disable-next-line no-await-in-loop -- a handful, one after the other
    found.push(...(await lookIn(place, { account, accounts, publicKeys })));
  }
  if (found.length > 0) return found;
  const where = places.map(({ place }) => place.called).join(", ") || "any place that is known here";
  const whose = account === undefined ? "" : ` of account ${account}`;
  const others = account === undefined ? undefined : alsoHere(account, accounts);
  const elsewhere = others === undefined ? "" : `, and ${others}`;
  throw new NotFoundError(
    `there is no journal${whose} in ${where}${elsewhere}; name where it is with --data or --store, or a trace`,
    { details: { reason: "no_journal" } },
  );
}

type Sought = {
  readonly account: string | undefined;
  /** Whose journals were found. */
  readonly accounts: string[];
  readonly publicKeys: readonly string[];
};

/** Nothing where there is no journal. One that cannot be read is no journal in order: that is a fault, whoever has named it. */
async function lookIn(
  { place, isNamed }: JournalPlace,
  { account: only, accounts, publicKeys }: Sought,
): Promise<Looked[]> {
  const store = await openToRead(place).catch((error: unknown) => {
    if (isNamed || !isNoStore(error)) throw error;
    return undefined;
  });
  if (store === undefined) return [];
  try {
    const here = await accountsIn(store);
    accounts.push(...here);
    const found: Looked[] = [];
    for (const account of only === undefined ? here : [only]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const verification = await verifyAccount(store, account, publicKeys);
      if (verification.segments.length + verification.missing.length > 0)
        found.push({ where: place.called, isNamed, account, verification });
    }
    return found;
  } finally {
    await store.close();
  }
}

function sealedIn(segments: AccountVerification["segments"]): number {
  return segments.filter(({ verification }) => verification.status === "ok").length;
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
