// J3: what a platform leaves that dies while this one lives is settled here. Only what its writer is gone from: each segment is
// leased before it is touched, and a living one keeps its lease.
import { segmentKind } from "@spfunctions/kernel";
import { recoverAccount, type RecoveryHost } from "./recover-accounts.ts";

export type TakeOverHost = RecoveryHost & {
  /** Whether nothing new begins here any more. */
  readonly isClosing: () => boolean;
  /** Told of an account that could not be looked at: the next time it is asked about again. */
  readonly failed: (error: unknown, accountId?: string) => void;
};

/** Looks once for calls of the dead, with one statement for all accounts. It never throws. */
export function accountsTakenOver(host: TakeOverHost): () => Promise<void> {
  // After a failure a segment may be held by nobody, or by this process: then it is not told as abandoned.
  const unsettled = new Set<string>();
  const takeOver = async (accountId: string) => {
    try {
      unsettled.add(accountId);
      await recoverAccount(host, accountId);
      unsettled.delete(accountId);
    } catch (error) {
      host.failed(error, accountId);
    }
  };
  return async () => {
    try {
      const left = await host.store.abandonedWith(segmentKind, "open");
      for (const accountId of new Set([...unsettled, ...left.map((key) => key.accountId)])) {
        if (host.isClosing()) return;
        // oxlint-disable-next-line no-await-in-loop -- one after the other, like at the start
        await takeOver(accountId);
      }
    } catch (error) {
      host.failed(error);
    }
  };
}
