/** Nobody mistypes a longer one; whoever sends it only wants us to work. */
const longestWord = 128;

/** Candidates close enough to a mistyped word to be worth suggesting, nearest first. Never used to resolve one. */
export function nearest(word: string, candidates: Iterable<string>, limit = 3): string[] {
  const typed = fold(word.slice(0, longestWord));
  if (typed === "") return [];
  const tolerance = Math.max(1, Math.floor(typed.length / 3));
  return [...candidates]
    .map((candidate) => ({ candidate, distance: distanceWithin(tolerance, typed, fold(candidate)) }))
    .filter((entry) => entry.distance <= tolerance)
    .toSorted((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map((entry) => entry.candidate);
}

/** `world_read`, `World.Read` and `worldRead` are all nearly `world.read`. */
function fold(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Words whose lengths differ by more than the tolerance are not compared: a mistake costs a step per letter. */
function distanceWithin(tolerance: number, a: string, b: string): number {
  return Math.abs(a.length - b.length) > tolerance ? Number.POSITIVE_INFINITY : distance(a, b);
}

/** Levenshtein distance, with a swap of neighbours as one step. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, at(beforeLast, j - 2) + 1);
      }
      row.push(best);
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
