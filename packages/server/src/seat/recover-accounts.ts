// At the start every account is looked at in which something has no end. I1: an effect is settled only with the key that began it.
import { type ContractManifest, type ErrorCode, runIdSchema } from "@spfunctions/contracts";
import { segmentKind, type Settled, type Store } from "@spfunctions/kernel";
import {
  anonymousAccount,
  anonymousCaller,
  type Caller,
  callerOfKey,
  callerOfRun,
  callerOfToken,
  operatorOf,
} from "../identity/caller.ts";
import { keyKind } from "../keys/key-record.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { LogLine } from "../log-line.ts";
import { tokenScopes } from "../tokens/browser-tokens.ts";
import type { Seats } from "./seats.ts";

export type RecoveryHost = {
  readonly store: Store;
  readonly seats: Seats;
  readonly keys: KeyRing;
  readonly manifest: ContractManifest;
  readonly log: (line: LogLine) => void;
};

/** Whose it is, too. */
export type AccountSettled = Settled & { readonly accountId: string };

export async function recoverAccounts(host: RecoveryHost): Promise<AccountSettled[]> {
  const settled: AccountSettled[] = [];
  for (const accountId of await host.store.accountsWith(segmentKind, "open")) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: effects may depend on each other
    for (const one of await recoverAccount(host, accountId)) settled.push({ ...one, accountId });
  }
  return settled;
}

/** Settles what dead processes have left in an account, and says of what nobody could. */
export async function recoverAccount(host: RecoveryHost, accountId: string): Promise<Settled[]> {
  const settled = [...(await settleWithKeys(host, accountId))];
  for (const [at, one] of settled.entries()) {
    // A key that has ended never comes again: what it began is for a person to find out.
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    if (one.outcome === "left" && (await isOfEndedKey(host, accountId, one)))
      // oxlint-disable-next-line no-await-in-loop -- see above
      settled[at] = (await giveUp(host, accountId, one)) ?? one;
  }
  for (const { outcome, callId, effectId, tool, keyId } of settled) {
    const trouble = troubles[outcome];
    // S1: why, in words, can hold what a caller has sent with it.
    if (trouble !== undefined)
      host.log({ level: "warn", ...trouble, accountId, callId, effectId, tool, ...(keyId && { keyId }) });
  }
  return settled;
}

type Trouble = Pick<LogLine, "event" | "message"> & { readonly code: ErrorCode };
const troubles: { readonly [Outcome in Settled["outcome"]]?: Trouble } = {
  left: { event: "call.left", message: "a call is left without an end", code: "recovery_needed" },
  unknown: {
    event: "call.unknown",
    message: "nobody knows what became of a call",
    code: "recovery_needed",
  },
};

/** What each caller settles of its own, and at the end what none of them could. */
async function settleWithKeys(host: RecoveryHost, accountId: string): Promise<Settled[]> {
  const ended: Settled[] = [];
  let left: readonly Settled[] = [];
  for await (const caller of callersOf(host, accountId)) {
    const { settled } = await host.seats.of(caller, "direct").recover();
    ended.push(...settled.filter(({ outcome }) => outcome !== "left"));
    left = settled.filter(({ outcome }) => outcome === "left");
    if (left.length === 0) break;
  }
  return [...ended, ...left];
}

/** Not of somebody who never had a key here: at a command line they can still settle it. */
async function isOfEndedKey(
  { store, keys }: RecoveryHost,
  accountId: string,
  { keyId = "" }: Settled,
): Promise<boolean> {
  const hasBeen = (await store.document({ kind: keyKind, accountId, id: keyId })) !== undefined;
  return hasBeen && (await keys.byId(accountId, keyId)) === undefined;
}

async function giveUp(
  { seats, manifest }: RecoveryHost,
  accountId: string,
  { effectId = "" }: Settled,
): Promise<Settled | undefined> {
  const { settled } = await seats.of(operatorOf(accountId, manifest), "direct").giveUp(effectId);
  return settled.find((one) => one.effectId === effectId);
}

/** What was begun for a run is settled for that one, whichever run its key comes with. */
const anyRun = runIdSchema.parse("run_00000000");

/** Whoever may have begun something in an account. */
async function* callersOf(
  { store, keys, manifest }: RecoveryHost,
  accountId: string,
): AsyncGenerator<Caller> {
  if (accountId === anonymousAccount) yield anonymousCaller;
  yield operatorOf(accountId, manifest);
  for (let after = ""; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const page = await store.documents({ kind: keyKind, accountId, status: "active", after, limit: 100 });
    for (const { id } of page) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const found = await keys.byId(accountId, id);
      if (found === undefined) continue;
      yield callerOfKey(found, manifest);
      yield callerOfToken(found, { scopes: tokenScopes }, manifest);
      yield callerOfRun(found, { runId: anyRun }, manifest);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < 100) return;
    after = last.id;
  }
}
