// Whoever watches what another process writes asks the store again and again. One process asks once for everybody who watches:
// which of everything that is watched has moved. Wakes only make it ask sooner.
import type { Clock } from "../time/clock.ts";
import { oneForStore } from "./one-for-store.ts";
import type { Store, Watched } from "./store.ts";

/**
 * How often it is asked what has moved of all that somebody watches.
 * @limit store.watchMs | what other processes have written is seen | fixed: within half a second, with at most 10 statements a second
 */
const watchMs = 425;

/**
 * How often it is asked about what this process waits for and is woken for: in case that nobody was told.
 * @limit store.recheckMs | what nobody was told of is found all the same | fixed: a wake is lost rarely
 */
const recheckMs = 20_000;

/** Between two times that a wake makes it ask sooner. */
const minSoonerMs = 1000;

type Watcher = { readonly known: ReadonlyMap<string, number>; readonly act: () => void };
/** What is known of something that is watched, by whoever knows most of it. */
type Entry = { readonly of: Watched; latest: number; readonly watchers: Set<Watcher> };

/** For whoever watches, and waits for nothing else. */
export const watchingOf: (store: Store, clock: Clock) => Watching = oneForStore(
  (store, clock) => new Watching(store, clock, { everyMs: watchMs, isHurried: true }),
);

/** For whoever is woken when something moves, and must not miss it. Waiting for it keeps no process up. */
export const recheckingOf: (store: Store, clock: Clock) => Watching = oneForStore(
  (store, clock) => new Watching(store, clock, { everyMs: recheckMs, isHurried: false }),
);

type WatchingTerms = {
  readonly everyMs: number;
  /** Whether wakes make it ask sooner. */
  readonly isHurried: boolean;
};

export class Watching {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #terms: WatchingTerms;
  readonly #entries = new Map<string, Entry>();
  #stopListening: (() => void) | undefined;
  #callOff: (() => void) | undefined;
  #isAsking = false;
  #isSooner = false;
  #hasMoved = false;
  #soonerAt = Number.NEGATIVE_INFINITY;

  constructor(store: Store, clock: Clock, terms: WatchingTerms) {
    this.#store = store;
    this.#clock = clock;
    this.#terms = terms;
  }

  /** How many things are watched. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * Acts once when something of this is not as it is known any more, or the store cannot be asked: then whoever watches looks for
   * himself. Until it is called off.
   */
  watch(known: readonly Watched[], act: () => void): () => void {
    if (known.length === 0) return () => {};
    const watcher: Watcher = { known: new Map(known.map((one) => [nameOf(one), numberOf(one)])), act };
    for (const one of known) this.#enter(one, watcher);
    if (known.some((one) => this.#entries.get(nameOf(one))?.latest !== numberOf(one)))
      queueMicrotask(() => this.#tell(watcher));
    this.#begin();
    return () => this.#leave(watcher);
  }

  #enter(one: Watched, watcher: Watcher): void {
    const name = nameOf(one);
    const number = numberOf(one);
    const entry = this.#entries.get(name) ?? { of: one, latest: number, watchers: new Set() };
    this.#entries.set(name, entry);
    entry.watchers.add(watcher);
    // Those who know less than this one have something to see.
    if (number > entry.latest) this.#come(entry, number);
  }

  #come(entry: Entry, number: number): void {
    entry.latest = number;
    const watchers = [...entry.watchers];
    for (const watcher of watchers) if (watcher.known.get(nameOf(entry.of)) !== number) this.#tell(watcher);
  }

  #tell(watcher: Watcher): void {
    if (this.#leave(watcher)) watcher.act();
  }

  /** Whether it was there. */
  #leave(watcher: Watcher): boolean {
    let wasThere = false;
    for (const name of watcher.known.keys()) {
      const entry = this.#entries.get(name);
      wasThere = entry?.watchers.delete(watcher) === true || wasThere;
      if (entry?.watchers.size === 0) this.#entries.delete(name);
    }
    if (this.#entries.size === 0) this.#end();
    return wasThere;
  }

  #begin(): void {
    if (this.#terms.isHurried) this.#stopListening ??= this.#store.listen(() => this.#askSooner());
    if (this.#callOff === undefined && !this.#isAsking) this.#askLater();
    // Whoever comes may have missed a wake. What lies in memory costs nothing to ask.
    if (!this.#store.lasts()) this.#askSooner();
  }

  /** When nobody watches, nothing is asked. */
  #end(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#callOff?.();
    this.#callOff = undefined;
  }

  #askLater(): void {
    const { everyMs, isHurried } = this.#terms;
    this.#callOff = this.#clock.after(everyMs, () => void this.#ask(), { keepsUp: isHurried });
  }

  /** Not while things move all the time: then everything that moves meanwhile is seen with the next look. */
  #askSooner(): void {
    if (this.#isAsking) {
      this.#isSooner = true;
      return;
    }
    if (this.#callOff === undefined) return;
    const now = this.#clock.elapsed();
    const isSoon = this.#hasMoved || now - this.#soonerAt < minSoonerMs;
    // What lies in memory is asked as often as somebody writes.
    if (isSoon && this.#store.lasts()) return;
    this.#soonerAt = now;
    void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#callOff?.();
    this.#callOff = undefined;
    this.#isAsking = true;
    this.#isSooner = false;
    const asked = new Map([...this.#entries].map(([name, { latest }]) => [name, latest]));
    try {
      const known = [...this.#entries.values()].map(({ of, latest }) => withNumber(of, latest));
      const moved = await this.#store.moved(known);
      this.#hasMoved = moved.length > 0;
      for (const one of moved) {
        const name = nameOf(one);
        const entry = this.#entries.get(name);
        // Whoever has come to watch it meanwhile may know more than this answer.
        if (entry !== undefined && entry.latest === asked.get(name)) this.#come(entry, numberOf(one));
      }
    } catch {
      const all = new Set([...this.#entries.values()].flatMap(({ watchers }) => [...watchers]));
      for (const watcher of all) this.#tell(watcher);
    }
    this.#isAsking = false;
    if (this.#entries.size === 0) return this.#end();
    if (this.#callOff === undefined) this.#askLater();
    if (this.#isSooner) this.#askSooner();
  }
}

function nameOf(one: Watched): string {
  return one.type === "stream"
    ? JSON.stringify([one.accountId, one.stream])
    : JSON.stringify([one.accountId, one.kind, one.id]);
}

function numberOf(one: Watched): number {
  return one.type === "stream" ? one.seq : one.revision;
}

function withNumber(one: Watched, number: number): Watched {
  return one.type === "stream" ? { ...one, seq: number } : { ...one, revision: number };
}
