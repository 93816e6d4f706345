import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The moments at which a process that waits for an answer can be killed. */
export type Moment = "arrived" | "applied" | "answered";

/** What the world saw of one operation. */
export type Seen = { attempts: number; applied: number };

/** A world that counts what is done to it. Operations of these kinds are applied once for each key; the others every time. */
export class CountingServer {
  readonly seen = new Map<string, Seen>();
  readonly #keys = new Set<string>();
  readonly #keyed: readonly string[];
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  /** Called at each moment of each request. */
  at: (moment: Moment, operation: string) => void = () => {};

  constructor(keyed: readonly string[] = ["keyed"]) {
    this.#keyed = keyed;
  }

  async listen(): Promise<string> {
    // It never hangs up first: a request that comes just then would be lost, and nobody was killed.
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
    const operation = decodeURIComponent((request.url ?? "/").slice(1));
    const key = request.headers["idempotency-key"];
    request.resume();
    const seen = this.seen.get(operation) ?? { attempts: 0, applied: 0 };
    this.seen.set(operation, seen);
    seen.attempts++;
    this.at("arrived", operation);
    const isKeyed = this.#keyed.some((kind) => operation.startsWith(kind));
    const isRepeated = isKeyed && typeof key === "string" && this.#keys.has(key);
    if (typeof key === "string") this.#keys.add(key);
    if (!isRepeated) seen.applied++;
    this.at("applied", operation);
    response.end(JSON.stringify({ operation, applied: seen.applied }));
    response.on("finish", () => this.at("answered", operation));
  }
}
