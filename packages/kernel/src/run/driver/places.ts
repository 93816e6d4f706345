/** So many at once; whoever comes later waits in turn. */
export class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  takeNow(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  async take(): Promise<void> {
    if (this.takeNow()) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  async without<Seen>(wait: () => Promise<Seen>): Promise<Seen> {
    this.give();
    try {
      return await wait();
    } finally {
      await this.take();
    }
  }
}
