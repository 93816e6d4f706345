import type { Store } from "@spfunctions/kernel";

/** The store that a command opens once its packs are loaded: what keeps something asks for it when it runs. */
export class LateStore {
  #store: Store | undefined;

  readonly now = (): Store | undefined => this.#store;

  opened(store: Store): Store {
    this.#store = store;
    return store;
  }
}
