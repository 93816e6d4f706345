import { Socket } from "node:net";

/** How long a server may take for its farewell. */
const farewellMs = 2_000;

/** The sockets of one store's connections, so that none outlives it. */
export class Sockets {
  readonly #open = new Set<Socket>();

  readonly make = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    return socket;
  };

  /** Whoever only waits on them does not keep the process alive. */
  unref(): void {
    for (const socket of this.#open) socket.unref();
  }

  /** Cuts every connection, whatever is under way on it. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Lets connections end as they should, cuts those of a server that does not answer, and returns when none is left. */
  async end(endAll: () => Promise<unknown>): Promise<void> {
    const late = setTimeout(() => this.cut(), farewellMs);
    try {
      await endAll();
    } finally {
      clearTimeout(late);
      const closed = [...this.#open].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
      this.cut();
      await Promise.all(closed);
    }
  }
}
