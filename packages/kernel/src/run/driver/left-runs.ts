// J3: a process looks for runs that others have left. One statement asks for all accounts and packages that are open in it.
import type { RunId } from "@spfunctions/contracts";
import { oneForStore } from "../../store/one-for-store.ts";
import type { PackageRuns, Store, UndrivenRun } from "../../store/store.ts";
import { undrivenRunsOf } from "../../store/undriven-runs.ts";
import type { Clock } from "../../time/clock.ts";
import { runsLeftWake } from "../journal/run-document.ts";

type Taker = PackageRuns & {
  /** Milliseconds between two looks, at most. */
  readonly everyMs: number;
  /** Takes on what was left, one after the other. It never throws. */
  readonly take: (runIds: readonly RunId[]) => Promise<void>;
};

type Taking = { readonly taker: Taker; isToLook: boolean; isBusy: boolean };

/** What runs of other processes are looked for with. */
export const leftRunsIn: (store: Store, clock: Clock) => LeftRuns = oneForStore(
  (store, clock) => new LeftRuns(store, clock),
);

class LeftRuns {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #takers = new Set<Taking>();
  /** By the wake that tells of what was left for them. */
  readonly #byWake = new Map<string, Set<Taking>>();
  #callOffLook: (() => void) | undefined;
  #stopListening: (() => void) | undefined;
  #isLooking = false;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Looks for what is left for somebody: at once where a process says that it closes, else with the next look. Until it is called off. */
  add(taker: Taker): () => void {
    const taking: Taking = { taker, isToLook: false, isBusy: false };
    const wake = runsLeftWake(taker.accountId, taker.packageFingerprint);
    const beside = this.#byWake.get(wake) ?? new Set();
    this.#byWake.set(wake, beside.add(taking));
    this.#takers.add(taking);
    this.#stopListening ??= this.#store.listen((woken) => {
      const left = woken === undefined ? undefined : this.#byWake.get(woken);
      if (left !== undefined) void this.#look(left);
    });
    if (!this.#isLooking) this.#lookLater();
    return () => {
      this.#takers.delete(taking);
      beside.delete(taking);
      if (beside.size === 0 && this.#byWake.get(wake) === beside) this.#byWake.delete(wake);
      if (this.#takers.size > 0) return;
      this.#callOffLook?.();
      this.#stopListening?.();
      this.#stopListening = undefined;
    };
  }

  #lookLater(): void {
    this.#callOffLook?.();
    if (this.#takers.size === 0) return;
    let everyMs = Number.POSITIVE_INFINITY;
    for (const { taker } of this.#takers) everyMs = Math.min(everyMs, taker.everyMs);
    this.#callOffLook = this.#clock.after(everyMs, () => void this.#look(this.#takers));
  }

  /** One look at a time; whoever is told of something meanwhile looks once more. */
  async #look(takers: Iterable<Taking>): Promise<void> {
    for (const taking of takers) taking.isToLook = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (;;) {
      const looking = [...this.#takers].filter(({ isToLook, isBusy }) => isToLook && !isBusy);
      if (looking.length === 0) break;
      for (const taking of looking) taking.isToLook = false;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const found = Map.groupBy(await this.#leftFor(looking), nameOf);
      for (const taking of looking) void this.#take(taking, found.get(nameOf(taking.taker)) ?? []);
    }
    this.#isLooking = false;
    this.#lookLater();
  }

  async #leftFor(looking: readonly Taking[]): Promise<UndrivenRun[]> {
    const of = new Map(
      looking.map(({ taker: { accountId, packageFingerprint } }) => {
        const runs = { accountId, packageFingerprint };
        return [nameOf(runs), runs];
      }),
    );
    const left: UndrivenRun[] = [];
    try {
      for await (const run of undrivenRunsOf(this.#store, [...of.values()])) left.push(run);
    } catch {
      // The next time it is asked again.
    }
    return left;
  }

  /** While somebody takes something on, the others are looked for all the same. */
  async #take(taking: Taking, left: readonly UndrivenRun[]): Promise<void> {
    if (left.length === 0) return;
    taking.isBusy = true;
    await taking.taker.take(left.map(({ id }) => id as RunId));
    taking.isBusy = false;
    if (taking.isToLook) void this.#look([]);
  }
}

function nameOf({ accountId, packageFingerprint }: PackageRuns): string {
  return JSON.stringify([accountId, packageFingerprint]);
}
