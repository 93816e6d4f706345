// J3: a stream that this store gives up while the server is away would be held for as long as this process lives, and driven by
// nobody. So it is given up once the server answers again.
// The real one, also where a test has put fake timers in its place.
import { setTimeout } from "node:timers";

const minPauseMs = 250;
const maxPauseMs = 2000;

/** Gives up what could not be given up, again and again until it is. */
export class LateReleases {
  readonly #release: (stream: string, epoch: number) => Promise<unknown>;
  /** The last epoch of each that was given up here. */
  readonly #waiting = new Map<string, number>();
  #pauseMs = minPauseMs;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** `release`: throws where the server has not been told. */
  constructor(release: (stream: string, epoch: number) => Promise<unknown>) {
    this.#release = release;
  }

  add(stream: string, epoch: number): void {
    this.#waiting.set(stream, epoch);
    this.#tryLater();
  }

  /** A store that is closed holds nothing. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #tryLater(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => void this.#try(), this.#pauseMs).unref();
  }

  async #try(): Promise<void> {
    const tried = [...this.#waiting];
    await Promise.all(
      tried.map(async ([stream, epoch]) => {
        try {
          await this.#release(stream, epoch);
          if (this.#waiting.get(stream) === epoch) this.#waiting.delete(stream);
        } catch {
          // The next time it is tried again.
        }
      }),
    );
    this.#timer = undefined;
    this.#pauseMs = this.#waiting.size === 0 ? minPauseMs : Math.min(2 * this.#pauseMs, maxPauseMs);
    if (this.#waiting.size > 0) this.#tryLater();
  }
}
