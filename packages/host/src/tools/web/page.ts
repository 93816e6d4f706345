import type { ReadPage } from "./page/read-page.ts";
import type { Reach } from "@spfunctions/kernel";

/** Where a request went. */
export type Hop = Pick<Reach, "url" | "isLocal">;

/** An answer as it is given and kept. */
export type Page = ReadPage & {
  readonly status: number;
  /** From what was asked for to what answered. */
  readonly hops: readonly Hop[];
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
};
