// At the start every account is looked at in which something has no end. I1: an effect is settled only with the key that began it.
import type { ContractManifest } from "@spfunctions/contracts";
import type { Settled, Store } from "@spfunctions/kernel";
import {
  anonymousAccount,
  anonymousCaller,
  type Caller,
  callerOfKey,
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

export async function recoverAccounts(host: RecoveryHost): Promise<Settled[]> {
  const settled: Settled[] = [];
  for (const accountId of await host.store.accountsWith("segment", "open")) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: effects may depend on each other
    settled.push(...(await recoverAccount(host, accountId)));
  }
  return settled;
}

async function recoverAccount(host: RecoveryHost, accountId: string): Promise<Settled[]> {
  const ended: Settled[] = [];
  const keyIds = new Set<string>();
  let left: readonly Settled[] = [];
  for await (const caller of callersOf(host, accountId)) {
    keyIds.add(caller.principal.keyId);
    const { settled } = await host.seats.of(caller, "direct").open();
    ended.push(...settled.filter(({ outcome }) => outcome !== "left"));
    left = settled.filter(({ outcome }) => outcome === "left");
    if (left.length === 0) return ended;
  }
  // A key that has ended never comes again: what it began is for a person to find out.
  const orphans = left.filter(({ keyId }) => keyId !== undefined && !keyIds.has(keyId));
  const operator = host.seats.of(operatorOf(accountId, host.manifest), "direct");
  for (const { effectId = "" } of orphans) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { settled } = await operator.giveUp(effectId);
    ended.push(...settled.filter(({ outcome }) => outcome !== "left"));
  }
  const still = left.filter((one) => !orphans.includes(one));
  for (const { callId, tool, reason } of still)
    host.log({ level: "warn", message: "a call is left without an end", accountId, callId, tool, reason });
  for (const { callId, tool, reason } of ended.filter(({ outcome }) => outcome === "unknown"))
    host.log({
      level: "warn",
      message: "nobody knows what became of a call",
      accountId,
      callId,
      tool,
      reason,
    });
  return [...ended, ...still];
}

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
    }
    const last = page.at(-1);
    if (last === undefined || page.length < 100) return;
    after = last.id;
  }
}
