// Writing the log into the database ends with waiting for the disk. A thread of its own does that beside the calls; the store
// itself does it only where the log has become long all the same, and then finds little left to do.
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

/** Plain JavaScript, because it is run as it stands here. */
const program = `
  const { DatabaseSync } = require("node:sqlite");
  const { parentPort, workerData } = require("node:worker_threads");
  const database = new DatabaseSync(new URL(workerData), { timeout: 0 });
  parentPort.on("message", () => {
    try {
      database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } finally {
      parentPort.postMessage("done");
    }
  });
`;

/** After so many characters of records the thread is asked. */
const charsBetween = 8 * 2 ** 20;

/** The checkpoints of one database. What goes wrong with the thread changes nothing but how long a commit may take. */
export class Checkpoints {
  readonly #file: string;
  #worker: Worker | undefined;
  #chars = 0;
  #isBusy = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Told how much was written. A store that writes little never has a thread. */
  wrote(chars: number): void {
    this.#chars += chars;
    if (this.#chars < charsBetween || this.#isBusy) return;
    this.#chars = 0;
    this.#isBusy = true;
    this.#worker ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage("now");
  }

  /** Before the database is closed: whoever closes it last empties the log. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const url = pathToFileURL(this.#file);
    // A database that is gone stays gone.
    url.searchParams.set("mode", "rw");
    const worker = new Worker(program, { eval: true, workerData: url.href, execArgv: [] });
    worker.unref();
    worker.on("message", () => {
      this.#isBusy = false;
    });
    worker.on("error", () => {
      // It is not asked again.
      this.#isBusy = true;
    });
    return worker;
  }
}
