// What comes for an account while its runs are driven here: answers that operators leave, and runs of processes that die.
import { type AccountId, isSimpleFunctionsError, type RunId } from "@spfunctions/contracts";
import { type TendedInbox, tendInbox } from "../../approval/tend-inbox.ts";
import type { Installation } from "../../installation/installation.ts";
import type { AccountJournal } from "../../journal/account-journal.ts";
import { undrivenRunsOf } from "../../store/undriven-runs.ts";
import { runsLeftWake } from "../journal/run-document.ts";
import type { RunHost } from "../run-host.ts";
import { isNotOurs } from "./held-runs.ts";

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
  #stopListening: (() => void) | undefined;
  #isToSweep = false;
  #isSweeping = false;
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
    const { store, closing } = this.#tended.host;
    if (closing.aborted) return;
    const { accountId } = this.#tended;
    const wake = runsLeftWake(accountId, this.#tended.host.package.fingerprint);
    this.#stopListening ??= store.listen((woken) => {
      if (woken === wake) void this.#sweepNow();
    });
    this.#callOffSweep ??= this.#sweepIn();
  }

  #sweepIn(): () => void {
    const { clock, runLimits } = this.#tended.host;
    return clock.after(runLimits.sweepMs, () => void this.#sweepNow());
  }

  /** One look at a time; whoever is told of something meanwhile looks once more. */
  async #sweepNow(): Promise<void> {
    this.#isToSweep = true;
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    this.#callOffSweep?.();
    while (this.#isToSweep && !this.#tended.host.closing.aborted) {
      this.#isToSweep = false;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await this.#sweep();
    }
    this.#isSweeping = false;
    this.#callOffSweep = this.#tended.host.closing.aborted ? undefined : this.#sweepIn();
  }

  async #sweep(): Promise<void> {
    const { host, accountId } = this.#tended;
    try {
      for await (const runId of undrivenRunsOf(host.store, accountId, host.package.fingerprint)) {
        if (host.closing.aborted) return;
        if (!this.#refused.has(runId as RunId)) await this.#takeOver(runId as RunId);
      }
    } catch {
      // The next time it is asked again.
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
    this.#stopListening?.();
    this.#callOffSweep?.();
  }

  async stop(): Promise<void> {
    await this.#inbox?.stop();
  }
}
