import type { DatabaseSync } from "node:sqlite";
import { HostConfigurationNeededError, type LeaseLostError } from "@spfunctions/contracts";
import { type Holder, holderIn, isDead, thisProcess } from "./driver-holder.ts";
import type { Transactions } from "./transactions.ts";

export type DriverTerms = {
  readonly folder: string;
  readonly clock: () => number;
  /** How long after its last sign a process counts as hung. */
  readonly leaseMs: number;
  /** Told once, where this process drives the folder no more. */
  readonly onLost?: ((error: LeaseLostError) => void) | undefined;
};

type DriverRow = { readonly epoch: number; readonly holder: string | null; readonly expires_at: number };

/**
 * Makes this process the driver and returns its epoch. It succeeds whoever died, at once, and whoever hung until the lease
 * ran out; while another drives, it is refused. `permit` is asked in the same transaction.
 */
export function takeDriver(
  database: DatabaseSync,
  transactions: Transactions,
  { folder, clock, leaseMs }: DriverTerms,
  permit: () => void,
): number {
  const self = thisProcess();
  let epoch = 0;
  let refusal: Error | undefined;
  transactions.run("process", () => {
    permit();
    const row = database
      .prepare("SELECT epoch, holder, expires_at FROM driver WHERE id = 1")
      .get() as DriverRow;
    const now = clock();
    const left = row.expires_at - now;
    if (row.holder !== null && left > 0)
      refusal = refusalUnlessDead(holderIn(row.holder), self, folder, Math.min(left, leaseMs));
    if (refusal !== undefined) {
      if (left <= leaseMs) return "drop";
      // The clock was set back since. A holder that lives renews anyway; one that died must not keep the folder until then.
      database.prepare("UPDATE driver SET expires_at = ? WHERE id = 1").run(now + leaseMs);
      return "keep";
    }
    epoch = row.epoch + 1;
    database
      .prepare("UPDATE driver SET epoch = ?, holder = ?, expires_at = ? WHERE id = 1")
      .run(epoch, JSON.stringify(self), now + leaseMs);
    return "keep";
  });
  if (refusal !== undefined) throw refusal;
  return epoch;
}

function refusalUnlessDead(
  holder: Holder | undefined,
  self: Holder,
  folder: string,
  leftMs: number,
): HostConfigurationNeededError | undefined {
  if (holder !== undefined && isDead(holder, self)) return undefined;
  const who = holder === undefined ? "an unknown process" : nameOf(holder, self);
  return new HostConfigurationNeededError(
    `${folder} is driven by ${who}. Talk to that one, stop it, or open the folder as a guest; if it hangs, another process can take over in ${Math.ceil(leftMs / 1000)} s`,
    { details: { reason: "driven_by_another", ...(holder === undefined ? {} : { pid: holder.pid }) } },
  );
}

function nameOf(holder: Holder, self: Holder): string {
  if (holder.pidNamespace !== self.pidNamespace) return `process ${holder.pid} of another container`;
  return holder.pid === self.pid ? `this very process (${self.pid})` : `process ${holder.pid}`;
}
