import { UpstreamError } from "@spfunctions/contracts";
import { type Answer, Answering } from "./answering.ts";

/** One page of a list: `next` is given as `after` to read on. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next?: string | null | undefined };

/** A page as it came; `read` takes its items whole or not at all. */
export function readPageOf<Item>(data: unknown, read: (items: unknown) => readonly Item[]): Page<Item> {
  const { items, next }: { readonly items?: unknown; readonly next?: unknown } =
    typeof data === "object" && data !== null ? data : {};
  return { items: read(items), ...(typeof next === "string" && { next }) };
}

/** The promise of a list's first page, and all items of all its pages one after the other. */
export class Listing<Data, Item> extends Answering<Data> implements AsyncIterable<Item> {
  readonly #name: string;
  readonly #first: Promise<Answer<Data>>;
  readonly #pageAfter: (after: string) => Promise<Answer<Data>>;

  constructor(
    name: string,
    first: Promise<Answer<Data>>,
    pageAfter: (after: string) => Promise<Answer<Data>>,
  ) {
    super(first);
    this.#name = name;
    this.#first = first;
    this.#pageAfter = pageAfter;
  }

  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    this.heedOtherwise();
    return this.#items();
  }

  async *#items(): AsyncGenerator<Item, void, undefined> {
    const seen = new Set<string>();
    let answer = await this.#first;
    for (;;) {
      const { items, next } = this.#pageOf(answer.data);
      yield* items;
      if (next === undefined || next === null) return;
      // Without this a platform that points back would be read for ever.
      if (seen.has(next)) throw this.#noPage("its pages go in a circle");
      seen.add(next);
      // oxlint-disable-next-line no-await-in-loop -- a page says where the next one begins
      answer = await this.#pageAfter(next);
    }
  }

  #pageOf(data: unknown): Page<Item> {
    const { items, next } = (typeof data === "object" && data !== null ? data : {}) as Partial<Page<Item>>;
    if (!Array.isArray(items)) throw this.#noPage("its answer has no items");
    if (typeof next !== "string" && next !== undefined && next !== null) {
      throw this.#noPage("its answer does not say where to read on");
    }
    return { items: items as readonly Item[], next };
  }

  #noPage(problem: string): UpstreamError {
    return new UpstreamError(`${this.#name} cannot be read as a list: ${problem}`, {
      details: { tool: this.#name, reason: "not_a_list" },
      retry: "never",
    });
  }
}
