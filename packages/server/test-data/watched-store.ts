import { createMemoryStore, type Store, type Unit } from "@spfunctions/kernel";

/** A store that asks before it writes anything: what is thrown or waited for there is what its writer sees. */
export function watchedStore(beforeCommit: (unit: Unit) => void | Promise<void>): Store {
  const store = createMemoryStore();
  const commit: Store["commit"] = async (unit) => {
    await beforeCommit(unit);
    return await store.commit(unit);
  };
  return new Proxy(store, {
    get: (target, name) => {
      if (name === "commit") return commit;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
