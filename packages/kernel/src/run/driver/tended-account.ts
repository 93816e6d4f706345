// What comes for an account while its runs are driven here: answers that operators leave, and runs of processes that die.
import type { AccountId, RunId } from "@spfunctions/contracts";
import { type TendedInbox, tendInbox } from "../../approval/tend-inbox.ts";
import type { Installation } from "../../installation/installation.ts";
import type { AccountJournal } from "../../journal/account-journal.ts";
import { isRunStream } from "../../journal/run-seal.ts";
import type { RunHost } from "../run-host.ts";

type Tended = {
  readonly host: RunHost;
  readonly accountId: AccountId;
  readonly installation: Installation | undefined;
  /** Where answers are on record that others have left. */
  readonly answers: AccountJournal;
  readonly takeOver: (runId: RunId) => Promise<unknown>;
};

export class TendedAccount {
  readonly #tended: Tended;
  #inbox: TendedInbox | undefined;
  #callOffSweep: (() => void) | undefined;

  constructor(tended: Tended) {
    this.#tended = tended;
  }

  /** Operators beside the one process that writes leave their answers in the inbox. */
  async tendInbox(): Promise<void> {
    const { host, accountId, installation, answers: journal } = this.#tended;
    const { store, clock, ids } = host;
    if (installation === undefined) return;
    this.#inbox ??= tendInbox({ store, clock, ids, installation, journal, accountId });
    await this.#inbox.first;
  }

  /** What processes leave that die while this one lives is taken over, too. */
  sweepLater(): void {
    const { clock, runLimits, closing } = this.#tended.host;
    if (closing.aborted || this.#callOffSweep !== undefined) return;
    this.#callOffSweep = clock.after(runLimits.sweepMs, () => {
      this.#callOffSweep = undefined;
      void this.#sweep().finally(() => this.sweepLater());
    });
  }

  async #sweep(): Promise<void> {
    const { host, accountId, takeOver } = this.#tended;
    try {
      for (const stream of await host.store.abandoned(accountId)) {
        if (!isRunStream(stream) || host.closing.aborted) continue;
        // oxlint-disable-next-line no-await-in-loop -- a handful
        await takeOver(stream as RunId).catch(() => undefined);
      }
    } catch {
      // The next time it is asked again.
    }
  }

  callOffSweep(): void {
    this.#callOffSweep?.();
  }

  async stop(): Promise<void> {
    await this.#inbox?.stop();
  }
}
