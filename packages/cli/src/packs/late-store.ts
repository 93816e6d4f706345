import type { Installation, Store } from "@spfunctions/kernel";

/**
 * The store that a command opens once its packs are loaded, and the installation that proves what is kept there: what keeps something
 * asks for them when it runs.
 */
export class LateStore {
  #store: Store | undefined;
  #installation: Installation | undefined;

  readonly now = (): Store | undefined => this.#store;

  readonly installation = (): Installation | undefined => this.#installation;

  opened(store: Store, installation: Installation): Store {
    this.#store = store;
    this.#installation = installation;
    return store;
  }
}
