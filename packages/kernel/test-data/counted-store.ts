import { FaultyStore } from "./call-store.ts";

/** A store that counts what is asked of it. */
export function countedStore(): { readonly store: FaultyStore; readonly calls: () => number } {
  const inner = new FaultyStore();
  let calls = 0;
  const store = new Proxy(inner, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== "function") return member;
      return (...given: unknown[]): unknown => {
        if (key !== "listen") calls += 1;
        return Reflect.apply(member, target, given);
      };
    },
  });
  return { store, calls: () => calls };
}
