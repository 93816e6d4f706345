// One store for several processes: it lives in the parent, and every call of a child is answered there.
import type { Store } from "@spfunctions/kernel";
import type { ChildProcess } from "node:child_process";

type Asked = { readonly id: number; readonly method: keyof Store; readonly given: readonly unknown[] };
type Answered = { readonly id: number; readonly answer?: unknown; readonly fault?: string };

export function serveStore(child: ChildProcess, store: Store): void {
  const send = (said: Answered) => child.connected && child.send(said, () => undefined);
  child.on("message", ({ id, method, given }: Asked) => {
    const ask = store[method] as (...all: readonly unknown[]) => Promise<unknown>;
    ask.apply(store, [...given]).then(
      (answer) => send({ id, answer }),
      (error: unknown) => send({ id, fault: String(error) }),
    );
  });
}

/** In a child: the store of its parent. */
export function parentStore(): Store {
  const waiting = new Map<number, (said: Answered) => void>();
  let count = 0;
  process.on("message", (said: Answered) => {
    waiting.get(said.id)?.(said);
    waiting.delete(said.id);
  });
  const ask =
    (method: keyof Store) =>
    async (...given: readonly unknown[]): Promise<never> => {
      const id = ++count;
      const said = await new Promise<Answered>((resolve) => {
        waiting.set(id, resolve);
        process.send?.({ id, method, given } satisfies Asked);
      });
      if (said.fault !== undefined) throw new Error(said.fault);
      return said.answer as never;
    };
  return {
    commit: ask("commit"),
    lease: ask("lease"),
    release: ask("release"),
    readStream: ask("readStream"),
    document: ask("document"),
    documents: ask("documents"),
    documentsById: ask("documentsById"),
    accountsWith: ask("accountsWith"),
    claim: ask("claim"),
    renew: ask("renew"),
    // The store is that of the process on the other side.
    leaseMs: () => Number.POSITIVE_INFINITY,
    lasts: () => true,
    abandoned: ask("abandoned"),
    abandonedWith: ask("abandonedWith"),
    undrivenRuns: ask("undrivenRuns"),
    moved: ask("moved"),
    // Nobody waits for anything on the other side.
    listen: () => () => {},
    close: () => Promise.resolve(),
  };
}
