import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A call that a process has begun. */
export type Begun = {
  readonly operation: string;
  readonly key: string;
  readonly process: string;
  /** By the process that began it, and by the ledger: milliseconds since 1970. */
  readonly begunAt: number;
  readonly arrivedAt: number;
};

/** Counts what tools do, beside any database. It honours keys: of one key it applies the first call. */
export class Ledger {
  readonly begun: Begun[] = [];
  /** The keys that were applied for each operation. */
  readonly applied = new Map<string, Set<string>>();
  /** The last call of each run. */
  readonly last = new Map<string, Begun>();
  isOver = false;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<string> {
    // It never hangs up first: a request that comes just then would be lost.
    this.#server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => {
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    try {
      for await (const chunk of request) text += String(chunk);
    } catch {
      // Whoever asked was killed.
      return;
    }
    if (request.url === "/count") this.#count(JSON.parse(text) as Omit<Begun, "arrivedAt">);
    response.end(this.isOver ? "yes" : "no");
  }

  #count(one: Omit<Begun, "arrivedAt">): void {
    const begun = { ...one, arrivedAt: Date.now() };
    const { operation, key } = begun;
    this.begun.push(begun);
    this.last.set(operation.slice(0, operation.lastIndexOf("/")), begun);
    const keys = this.applied.get(operation) ?? new Set();
    this.applied.set(operation, keys.add(key));
  }
}
