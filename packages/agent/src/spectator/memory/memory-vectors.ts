import type { MemoryId } from "@spfunctions/contracts";
import { documentsOf } from "@spfunctions/kernel";
import { askEmbedder, type Embedded, type Embedder } from "./ask-embedder.ts";
import { vectorKind } from "../../kept/kept-memory.ts";
import { vectorIn, vectorStatus } from "./kept-vector.ts";
import type { MemoryHost } from "./memory-host.ts";
import { troubleOf } from "./memory-trouble.ts";
import { VectorShelf } from "./vector-shelf.ts";

type Loaded = {
  readonly shelf: VectorShelf;
  /** Whether all of them had room. */
  readonly whole: Promise<boolean>;
};

/**
 * The vectors of one account and one model: asked for, and held after they were first needed. What another process keeps meanwhile
 * is found by its words alone until this one is opened again or rebuilt; what it forgets is not shown, because the store is asked.
 */
export class MemoryVectors {
  readonly model: string;
  readonly #host: MemoryHost;
  readonly #embedder: Embedder;
  #loaded: Loaded | undefined;
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor(host: MemoryHost, embedder: Embedder) {
    this.model = embedder.model;
    this.#host = host;
    this.#embedder = embedder;
  }

  /** A port that failed is left alone for a while, so that not every turn waits for it. */
  async embed(texts: readonly string[], signal?: AbortSignal): Promise<Embedded> {
    const { clock, limits } = this.#host;
    if (clock.elapsed() < this.#restsUntil) {
      const why = `it has failed, and is not asked again within ${limits.embedRestMs} ms`;
      return { type: "trouble", trouble: troubleOf("embed", "resting", why) };
    }
    const embedded = await askEmbedder(this.#embedder, texts, this.#host, signal);
    // Whoever asked may have given up; that says nothing about the port.
    if (embedded.type === "trouble" && signal?.aborted !== true)
      this.#restsUntil = clock.elapsed() + limits.embedRestMs;
    return embedded;
  }

  /** All that can be compared with a vector, and whether that is every one that is kept. */
  async shelfFor(vector: Float32Array): Promise<{ readonly shelf: VectorShelf; readonly isWhole: boolean }> {
    if (this.#loaded?.shelf.dimension !== vector.length) this.#loaded = this.#load(vector.length);
    const { shelf, whole } = this.#loaded;
    return { shelf, isWhole: await whole };
  }

  /** What is in the store by now. */
  keep(id: MemoryId, vector: Float32Array): void {
    const { shelf } = this.#loaded ?? {};
    if (shelf?.dimension !== vector.length || shelf.put(id, vector)) return;
    this.#loaded = { shelf, whole: Promise.resolve(false) };
  }

  drop(id: MemoryId): void {
    this.#loaded?.shelf.remove(id);
  }

  /** They are read again when they are next needed. */
  release(): void {
    this.#loaded = undefined;
  }

  #load(dimension: number): Loaded {
    const shelf = new VectorShelf(dimension, this.#host.limits.vectors);
    const whole = this.#fill(shelf);
    // Whoever waits is told; the next one begins again.
    whole.catch(() => this.release());
    return { shelf, whole };
  }

  async #fill(shelf: VectorShelf): Promise<boolean> {
    const { store, accountId } = this.#host;
    const status = vectorStatus(this.model, shelf.dimension);
    for await (const document of documentsOf(store, vectorKind, accountId, status)) {
      const vector = vectorIn(this.#host, document);
      if (vector !== undefined && !shelf.put(vector.memoryId, vector.numbers)) return false;
    }
    return true;
  }
}
