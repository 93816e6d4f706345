import type { ToolCallResult } from "@spfunctions/contracts";
import type { EventStream } from "../event-stream.ts";
import type { CallOptions } from "../typed-tools.ts";
import type { Fixture } from "./fixture.ts";
import type { FixtureWay, ToolsNow } from "./fixture-way.ts";

/** What calls, as far as a fixture has to do with it. */
export type Calling = {
  call(name: string, input?: unknown, options?: CallOptions): Promise<ToolCallResult>;
  stream(name: string, input?: unknown, options?: CallOptions): EventStream<ToolCallResult>;
  close(): Promise<void>;
};

/** What calls, and the fixture that its answers come from or go to. */
export class FixtureSession {
  readonly fixture: Fixture;
  readonly #way: FixtureWay;
  readonly #inner: Calling;
  readonly #now: ToolsNow;
  readonly #underWay = new Set<Promise<unknown>>();
  #sealing: Promise<void> | undefined;
  #ending: Promise<void> | undefined;

  constructor(file: string, way: FixtureWay, inner: Calling, now: ToolsNow) {
    this.#way = way;
    this.#inner = inner;
    this.#now = now;
    this.fixture = Object.freeze({
      file,
      mode: way.replays === undefined ? "record" : "replay",
      unused: way.unused,
      discard: () => this.discard(),
    });
  }

  call(name: string, input?: unknown, options?: CallOptions): Promise<ToolCallResult> {
    return this.#watch(name, this.#inner.call(name, input, options));
  }

  stream(name: string, input?: unknown, options?: CallOptions): EventStream<ToolCallResult> {
    const stream = this.#inner.stream(name, input, options);
    const result = this.#watch(name, stream.result);
    // Nobody has to look at it.
    result.catch(() => undefined);
    return { result, [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator]() };
  }

  /** Nothing more is called. What becomes of a recording is decided later. */
  seal(): Promise<void> {
    this.#sealing ??= (async () => {
      await this.#inner.close();
      await Promise.allSettled(this.#underWay);
    })();
    return this.#sealing;
  }

  /** Everything went well: a recording becomes the fixture. */
  keep(): Promise<void> {
    return this.#end(() => this.#way.end());
  }

  /** Ends it, and nothing of a recording is kept; after `keep` there is no more to do. */
  discard(): Promise<void> {
    return this.#end(async () => undefined);
  }

  #end(act: () => Promise<void>): Promise<void> {
    this.#ending ??= (async () => {
      try {
        await this.seal();
        await act();
      } finally {
        this.#way.release();
      }
    })();
    return this.#ending;
  }

  async #watch(name: string, answer: Promise<ToolCallResult>): Promise<ToolCallResult> {
    const watched = this.#way.watch(name, answer, this.#now);
    this.#underWay.add(watched);
    try {
      return await watched;
    } finally {
      this.#underWay.delete(watched);
    }
  }
}
