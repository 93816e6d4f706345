import type { DocumentKey, Watched } from "./store.ts";

type WatchedStream = Extract<Watched, { type: "stream" }>;

/** How far what is watched has come. */
export type Standing = {
  readonly seq: (stream: WatchedStream) => number;
  readonly revision: (document: DocumentKey) => number;
};

/** What a store answers that looks at one after the other. */
export function movedAmong(known: readonly Watched[], standing: Standing): Watched[] {
  return known.flatMap((one): Watched[] => {
    if (one.type === "stream") {
      const seq = standing.seq(one);
      return seq === one.seq ? [] : [{ ...one, seq }];
    }
    const revision = standing.revision(one);
    return revision === one.revision ? [] : [{ ...one, revision }];
  });
}
