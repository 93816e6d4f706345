import { inboxKind } from "../store/kernel-kinds.ts";
import { oneForStore } from "../store/one-for-store.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";

/**
 * How often it is looked whether something lies in an inbox that nobody was told of.
 * @limit store.inboxMs | what was left is taken | fixed: a wake is lost rarely
 */
const everyMs = 20_000;

type Look = { readonly accountId: string | undefined; readonly look: () => void };

/** What inboxes are looked into with. */
export const inboxLooksOf: (store: Store, clock: Clock) => InboxLooks = oneForStore(
  (store, clock) => new InboxLooks(store, clock),
);

/**
 * Whoever takes from an inbox is woken when something is left there. In case that the wake is lost, one statement asks now and then
 * in which accounts something lies, for everybody here. It keeps no process up.
 */
class InboxLooks {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #looks = new Set<Look>();
  #callOff: (() => void) | undefined;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Looks where something lies in the inbox of this account, of any unless given. Until it is called off. */
  add(look: () => void, accountId?: string): () => void {
    // Where no other process can write, nothing is left that this one does not know of.
    if (!this.#store.lasts()) return () => {};
    const one: Look = { accountId, look };
    this.#looks.add(one);
    this.#callOff ??= this.#later();
    return () => {
      this.#looks.delete(one);
      if (this.#looks.size > 0) return;
      this.#callOff?.();
      this.#callOff = undefined;
    };
  }

  #later(): () => void {
    return this.#clock.after(everyMs, () => void this.#look(), { keepsUp: false });
  }

  async #look(): Promise<void> {
    try {
      const accounts = new Set(await this.#store.accountsWith(inboxKind));
      for (const { accountId, look } of this.#looks)
        if (accountId === undefined ? accounts.size > 0 : accounts.has(accountId)) look();
    } catch {
      // The next time it is asked again.
    }
    this.#callOff = this.#looks.size > 0 ? this.#later() : undefined;
  }
}
