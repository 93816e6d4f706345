// An embedder that needs no model from elsewhere: words and pieces of words, each weighed by how rare it is in texts that were
// learned from, and projected to few dimensions by fixed signs (Achlioptas 2003). It knows that "walked" is like "walk", and nothing of
// what words mean; a model that has read the web knows more. Its weights were chosen on the development half.
import { wordsOf } from "@spfunctions/kernel";

export const dimension = 1024;
const pieceLength = 5;
/** What a piece weighs beside a whole word. */
const pieceShare = 0.5;
/** In so many dimensions each part is added or taken away. */
const signs = 8;

export function learnVectors(texts: readonly string[]): (text: string) => Float32Array {
  const having = new Map<string, number>();
  for (const text of texts)
    for (const part of new Set(partsOf(text))) having.set(part, (having.get(part) ?? 0) + 1);
  const rarity = (part: string) => Math.log(1 + texts.length / ((having.get(part) ?? 0) + 0.5));
  return (text) => {
    const vector = new Float32Array(dimension);
    for (const [part, count] of countsOf(partsOf(text)))
      addPart(vector, part, (part.startsWith(mark) ? pieceShare : 1) * (1 + Math.log(count)) * rarity(part));
    // A text without words is like no other.
    if (vector.every((number) => number === 0)) vector[0] = 1;
    return vector;
  };
}

const mark = "~";

function partsOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => {
    const framed = `^${word}$`;
    const count = Math.max(0, framed.length - pieceLength + 1);
    return [
      word,
      ...Array.from({ length: count }, (_, at) => `${mark}${framed.slice(at, at + pieceLength)}`),
    ];
  });
}

function countsOf(parts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  return counts;
}

function addPart(vector: Float32Array, part: string, weight: number): void {
  for (let sign = 0; sign < signs; sign++) {
    const hash = hashOf(part, sign);
    const place = hash % dimension;
    vector[place] = (vector[place] ?? 0) + (hash >>> 31 === 0 ? -weight : weight);
  }
}

/** FNV-1a with the last steps of MurmurHash3: the same number for the same text, always. */
function hashOf(text: string, seed: number): number {
  let hash = (seed * 7919 + 1) >>> 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), 3266489917) >>> 0;
  return (hash ^ (hash >>> 16)) >>> 0;
}
