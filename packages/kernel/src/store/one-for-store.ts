import type { Clock } from "../time/clock.ts";
import type { Store } from "./store.ts";

/** What everybody shares who uses the same opened store by the same clock. */
export function oneForStore<Shared>(
  make: (store: Store, clock: Clock) => Shared,
): (store: Store, clock: Clock) => Shared {
  const made = new WeakMap<Store, WeakMap<Clock, Shared>>();
  return (store, clock) => {
    const ofStore = made.get(store) ?? new WeakMap<Clock, Shared>();
    made.set(store, ofStore);
    const shared = ofStore.get(clock) ?? make(store, clock);
    ofStore.set(clock, shared);
    return shared;
  };
}
