// What comes for an account while its runs are driven here: answers that operators leave, and runs of processes that die.
import { type AccountId, isSimpleFunctionsError, type RunId } from "@spfunctions/contracts";
import { type TendedInbox, tendInbox } from "../../approval/tend-inbox.ts";
import type { Installation } from "../../installation/installation.ts";
import type { AccountJournal } from "../../journal/account-journal.ts";
import type { RunHost } from "../run-host.ts";
import { isNotOurs } from "./held-runs.ts";
import { leftRunsIn } from "./left-runs.ts";

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
  /** Runs that were found and cannot be taken on here. */
  readonly #refused = new Set<RunId>();

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

  /** Takes over what other processes leave while this one lives: at once where one says that it closes, else with the next look. */
  sweepLater(): void {
    const { store, clock, closing, runLimits, package: runtimePackage } = this.#tended.host;
    if (closing.aborted) return;
    this.#callOffSweep ??= leftRunsIn(store, clock).add({
      accountId: this.#tended.accountId,
      packageFingerprint: runtimePackage.fingerprint,
      everyMs: runLimits.sweepMs,
      take: async (runIds) => await this.#takeAll(runIds),
    });
  }

  async #takeAll(runIds: readonly RunId[]): Promise<void> {
    for (const runId of runIds) {
      if (this.#tended.host.closing.aborted) return;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      if (!this.#refused.has(runId)) await this.#takeOver(runId);
    }
  }

  /** What cannot be taken on here is not tried again and again; whoever resumes it is told why. */
  async #takeOver(runId: RunId): Promise<void> {
    try {
      await this.#tended.takeOver(runId);
    } catch (error) {
      if (isNotOurs(error) || !isSimpleFunctionsError(error)) this.#refused.add(runId);
    }
  }

  callOffSweep(): void {
    this.#callOffSweep?.();
  }

  async stop(): Promise<void> {
    await this.#inbox?.stop();
  }
}
