// Nothing that an embedder does fails a turn: whatever it throws, however long it takes and whatever it answers becomes a trouble
// that is told, and memories are found by their words.
import { types } from "node:util";
import { type Clock, unlessAborted } from "@spfunctions/kernel";
import type { MemoryLimits } from "./memory-limits.ts";
import { type MemoryTrouble, troubleOf } from "./memory-trouble.ts";

/** Turns texts into vectors, one for each and all of one length, whichever that is. */
export type Embedder = {
  /** What made a vector is kept with it; those of another are not compared with it. */
  readonly model: string;
  readonly embed: (texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[]>;
};

/** Vectors of length 1, in the order of the texts. */
export type Embedded =
  | { readonly type: "vectors"; readonly vectors: readonly Float32Array[] }
  | { readonly type: "trouble"; readonly trouble: MemoryTrouble };

export type AskingHost = { readonly clock: Clock; readonly limits: MemoryLimits };

export async function askEmbedder(
  embedder: Embedder,
  texts: readonly string[],
  { clock, limits }: AskingHost,
  given?: AbortSignal,
): Promise<Embedded> {
  const { embedMs } = limits;
  const timer = new AbortController();
  const callOff = clock.after(embedMs, () => timer.abort());
  const signal = given === undefined ? timer.signal : AbortSignal.any([timer.signal, given]);
  try {
    const answer = (async () => await embedder.embed([...texts], signal))();
    const vectors = await unlessAborted(answer, signal, () => new Error("nobody waits any longer"));
    return { type: "vectors", vectors: unitVectors(vectors, texts.length, limits.dimensions) };
  } catch (error) {
    const late = `it has not answered within ${embedMs} ms`;
    if (timer.signal.aborted) return { type: "trouble", trouble: troubleOf("embed", "late", late) };
    const reason = error instanceof MalformedAnswer ? "malformed" : "failed";
    return { type: "trouble", trouble: troubleOf("embed", reason, error) };
  } finally {
    callOff();
  }
}

class MalformedAnswer extends Error {}

function unitVectors(answer: unknown, count: number, most: number): Float32Array[] {
  const many = Array.isArray(answer) ? answer.length : undefined;
  if (!Array.isArray(answer) || many !== count)
    throw new MalformedAnswer(`${count} vectors were asked for, and ${many ?? "no list"} came`);
  const vectors = Array.from({ length: count }, (_, place) => unitVector(answer[place], most));
  const dimension = vectors[0]?.length;
  if (vectors.some(({ length }) => length !== dimension))
    throw new MalformedAnswer("vectors of one answer have one length, and these have not");
  return vectors;
}

/** A copy: whoever gave it may go on changing it. */
function unitVector(given: unknown, most: number): Float32Array {
  if (!types.isFloat32Array(given)) throw new MalformedAnswer("a vector is a Float32Array, and this is not");
  if (given.length < 1 || given.length > most)
    throw new MalformedAnswer(`a vector has 1 to ${most} numbers, and this has ${given.length}`);
  const wide = Float64Array.from(given);
  const length = Math.sqrt(wide.reduce((sum, number) => sum + number * number, 0));
  if (!Number.isFinite(length) || length === 0)
    throw new MalformedAnswer("the numbers of a vector are finite, and not all zero; these are not so");
  return Float32Array.from(wide, (number) => number / length);
}
