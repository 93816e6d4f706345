// An embedder that needs no model from elsewhere: latent semantic analysis (Deerwester 1990) of words and of pieces of words, learned
// from texts here and nothing else. It knows what stands together in a few thousand definitions; a model of today that has read the
// web knows far more. What it shows is whether fusion helps with a weak embedder, and what vectors cost.
import { wordsOf } from "@spfunctions/kernel";

type Sparse = { readonly at: Int32Array; readonly weight: Float64Array };

const dimension = 256;
const rounds = 3;
const pieceLength = 4;

export function learnLsa(texts: readonly string[]): (text: string) => Float32Array {
  const features = featuresIn(texts);
  const rows = texts.map((text) => rowOf(text, features));
  let basis = randomColumns(texts.length);
  for (let round = 0; round < rounds; round++) {
    basis = timesRows(rows, timesTransposed(rows, basis, features.size));
    orthonormalise(basis, texts.length);
  }
  const projection = timesTransposed(rows, basis, features.size);
  const lower = cholesky(gram(projection, features.size));
  return (text) => embed(rowOf(text, features), projection, lower);
}

/** Every word of at least two texts and every piece of one, with how rare it is. */
function featuresIn(
  texts: readonly string[],
): Map<string, { readonly place: number; readonly rarity: number }> {
  const having = new Map<string, number>();
  for (const text of texts)
    for (const feature of new Set(partsOf(text))) having.set(feature, (having.get(feature) ?? 0) + 1);
  const kept = [...having].filter(([, count]) => count > 1);
  return new Map(
    kept.map(([feature, count], place) => [feature, { place, rarity: Math.log(texts.length / count) }]),
  );
}

function partsOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => {
    const framed = `^${word}$`;
    const count = Math.max(0, framed.length - pieceLength + 1);
    return [word, ...Array.from({ length: count }, (_, at) => `~${framed.slice(at, at + pieceLength)}`)];
  });
}

function rowOf(text: string, features: ReturnType<typeof featuresIn>): Sparse {
  const counts = new Map<string, number>();
  for (const part of partsOf(text)) counts.set(part, (counts.get(part) ?? 0) + 1);
  const known = [...counts].flatMap(([part, count]) => {
    const feature = features.get(part);
    if (feature === undefined) return [];
    // A word weighs as much as a few of its pieces.
    const share = part.startsWith("~") ? 0.4 : 1;
    return [{ place: feature.place, weight: share * (1 + Math.log(count)) * feature.rarity }];
  });
  const length = Math.hypot(...known.map(({ weight }) => weight)) || 1;
  return {
    at: Int32Array.from(known, ({ place }) => place),
    weight: Float64Array.from(known, ({ weight }) => weight / length),
  };
}

/** Always the same numbers, so that every run learns the same. */
function randomColumns(rows: number): Float64Array {
  let state = 42;
  return Float64Array.from({ length: rows * dimension }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
}

/** Matrices stand row by row, `dimension` numbers in each. */
function timesTransposed(rows: readonly Sparse[], columns: Float64Array, features: number): Float64Array {
  const product = new Float64Array(features * dimension);
  for (const [row, { at, weight }] of rows.entries())
    for (let part = 0; part < at.length; part++)
      addScaled(product, (at[part] ?? 0) * dimension, columns, row * dimension, weight[part] ?? 0);
  return product;
}

function timesRows(rows: readonly Sparse[], columns: Float64Array): Float64Array {
  const product = new Float64Array(rows.length * dimension);
  for (const [row, { at, weight }] of rows.entries())
    for (let part = 0; part < at.length; part++)
      addScaled(product, row * dimension, columns, (at[part] ?? 0) * dimension, weight[part] ?? 0);
  return product;
}

function addScaled(into: Float64Array, to: number, from: Float64Array, start: number, scale: number): void {
  for (let place = 0; place < dimension; place++)
    into[to + place] = (into[to + place] ?? 0) + scale * (from[start + place] ?? 0);
}

/** Cholesky QR: what is multiplied by the inverse of its Gram matrix's root is orthonormal. */
function orthonormalise(matrix: Float64Array, rows: number): void {
  const lower = cholesky(gram(matrix, rows));
  for (let row = 0; row < rows; row++)
    matrix.set(solve(lower, matrix.subarray(row * dimension, (row + 1) * dimension)), row * dimension);
}

function gram(matrix: Float64Array, rows: number): Float64Array {
  const product = new Float64Array(dimension * dimension);
  for (let row = 0; row < rows; row++) {
    const start = row * dimension;
    for (let one = 0; one < dimension; one++) {
      const scale = matrix[start + one] ?? 0;
      if (scale !== 0) addScaled(product, one * dimension, matrix, start, scale);
    }
  }
  return product;
}

function cholesky(square: Float64Array): Float64Array {
  const lower = new Float64Array(dimension * dimension);
  for (let row = 0; row < dimension; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = square[row * dimension + column] ?? 0;
      for (let place = 0; place < column; place++)
        sum -= (lower[row * dimension + place] ?? 0) * (lower[column * dimension + place] ?? 0);
      const root = lower[column * dimension + column] ?? 1;
      lower[row * dimension + column] = row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / root;
    }
  }
  return lower;
}

/** What a lower triangle makes of the answer is given. */
function solve(lower: Float64Array, given: Float64Array): Float64Array {
  const answer = new Float64Array(dimension);
  for (let row = 0; row < dimension; row++) {
    let sum = given[row] ?? 0;
    for (let place = 0; place < row; place++)
      sum -= (lower[row * dimension + place] ?? 0) * (answer[place] ?? 0);
    answer[row] = sum / (lower[row * dimension + row] ?? 1);
  }
  return answer;
}

function embed({ at, weight }: Sparse, projection: Float64Array, lower: Float64Array): Float32Array {
  const sum = new Float64Array(dimension);
  for (let part = 0; part < at.length; part++)
    addScaled(sum, 0, projection, (at[part] ?? 0) * dimension, weight[part] ?? 0);
  const vector = Float32Array.from(solve(lower, sum));
  // A text of nothing but unknown words is like no other.
  if (vector.every((number) => number === 0)) vector[0] = 1e-6;
  return vector;
}
