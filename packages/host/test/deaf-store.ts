import type { Store } from "@spfunctions/kernel";

/** A store that is told of nothing: every notification to it is lost. */
export function deaf(store: Store): Store {
  return new Proxy(store, {
    get: (target, name) => {
      if (name === "listen") return () => () => undefined;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
