// J3: whoever writes a run has its lease, and what it was started under. One that is not for here stays for whoever can take it on.
import {
  type AccountId,
  type Digest,
  isSimpleFunctionsError,
  NotFoundError,
  type RunId,
} from "@spfunctions/contracts";
import { genesisOf } from "../../journal/seal.ts";
import { StreamWriter } from "../../journal/stream-writer.ts";
import { verifyRecord } from "../../journal/verify-stream.ts";
import { packageDifferences } from "../../package/package-differences.ts";
import { readKeptPackage } from "../journal/kept-package.ts";
import { listedRun, readRun, requireSamePackage } from "../journal/read-run.ts";
import type { RunHost } from "../run-host.ts";
import type { Run } from "../state/fold-run.ts";
import type { DrivenRuns, HeldRun } from "./driven-runs.ts";

/** What a run of one package is held with, and let go of. */
export class HeldRuns {
  readonly #host: RunHost;
  readonly #accountId: AccountId;
  readonly #policyDigest: Digest;
  readonly #driven: DrivenRuns;

  constructor(host: RunHost, accountId: AccountId, policyDigest: Digest, driven: DrivenRuns) {
    this.#host = host;
    this.#accountId = accountId;
    this.#policyDigest = policyDigest;
    this.#driven = driven;
  }

  /** Nothing where somebody else has it. */
  async lease(runId: RunId): Promise<StreamWriter | undefined> {
    const { store, clock } = this.#host;
    const accountId = this.#accountId;
    const lease = await store.lease(runId, accountId, genesisOf(runId, accountId));
    if (lease.type === "held") return undefined;
    return new StreamWriter(store, clock, { stream: runId, accountId, epoch: lease.epoch, head: lease.head });
  }

  /** A run that is there, as its journal has it, and that nobody else can write from here on. */
  async hold(runId: RunId): Promise<HeldRun | undefined> {
    const { store } = this.#host;
    await listedRun(store, this.#accountId, runId);
    const writer = await this.lease(runId);
    if (writer === undefined) return undefined;
    try {
      const { run, ...listed } = await readRun(store, this.#accountId, runId);
      this.#host.requireProven({ run, ...listed });
      return this.#driven.hold(writer, listed, run);
    } catch (error) {
      await store.release(writer.stream, writer.epoch);
      throw error;
    }
  }

  async orRelease(held: HeldRun, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      await this.release(held);
      throw error;
    }
  }

  async release({ writer }: HeldRun): Promise<void> {
    await writer.end();
    await this.#host.store.release(writer.stream, writer.epoch);
  }

  /** Whether it was started under what is here. */
  isOurs({ journal }: HeldRun): boolean {
    try {
      this.requireSame(journal.run);
      return true;
    } catch (error) {
      if (isNotOurs(error)) return false;
      throw error;
    }
  }

  requireSame(run: Run): void {
    requireSamePackage(run, this.#host, this.#policyDigest);
  }

  /** The same before it is held, with what is other in words. */
  async requireOurs(runId: RunId): Promise<void> {
    const { store } = this.#host;
    const [first] = await store.readStream({ stream: runId, accountId: this.#accountId, limit: 1 });
    const verified = first && verifyRecord(first, 1);
    // What cannot be read is said by whoever holds it.
    if (verified?.record.kind !== "run.opened") return;
    const opening = verified.record;
    const differences = await this.#differences(opening);
    requireSamePackage({ opening }, this.#host, this.#policyDigest, differences);
  }

  /** As far as the package that it was started under is kept. */
  async #differences({ packageFingerprint }: Run["opening"]): Promise<string[]> {
    const { store, package: here } = this.#host;
    if (packageFingerprint === here.fingerprint) return [];
    try {
      return packageDifferences(await readKeptPackage(store, packageFingerprint), here);
    } catch (error) {
      if (isSimpleFunctionsError(error)) return [];
      throw error;
    }
  }
}

/** There, and not to be taken on here: its own `resume` says why. */
export function isNotOurs(error: unknown): boolean {
  const isOther =
    isSimpleFunctionsError(error) && (error.code === "invalid_package" || error.code === "journal_corrupt");
  return isOther || error instanceof NotFoundError;
}
