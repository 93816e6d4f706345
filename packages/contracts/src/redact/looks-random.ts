/** How much of a value is looked at: enough to tell, and a bound on what a hostile text can cost. */
const sampleLength = 64;

/**
 * Whether a text looks machine-made rather than written: letters and digits mixed without the seams of words,
 * dates or versions.
 */
export function looksRandom(value: string, minLength: number): boolean {
  if (value.length < minLength) return false;
  const length = Math.min(value.length, sampleLength);
  let letters = 0;
  let digits = 0;
  /** Where a digit meets a letter, or a letter changes case other than at the start of a word. */
  let seams = 0;
  let seenLow = 0;
  let seenHigh = 0;
  let before = other;
  let capitals = 0;
  for (let index = 0; index < length; index++) {
    const code = value.charCodeAt(index);
    if (code < 64) seenLow |= 1 << (code & 31);
    else seenHigh |= 1 << (code & 31);
    const kind = kindOf(code);
    if (kind === digit) digits++;
    else if (kind !== other) letters++;
    if (kind !== other && before !== other && (kind === digit) !== (before === digit)) seams++;
    else if (kind === upper && before === lower) seams++;
    else if (kind === lower && capitals > 1) seams++;
    capitals = kind === upper ? capitals + 1 : 0;
    before = kind;
  }
  if (bitsIn(seenLow) + bitsIn(seenHigh) < Math.min(6, minLength - 1)) return false;
  if (letters === 0 || letters + digits < length * 0.7) return false;
  const sample = value.slice(0, sampleLength);
  return digits === 0 ? letters === length && lettersLookRandom(sample) : seams >= seamsOfRandom(sample);
}

const [other, digit, lower, upper] = [0, 1, 2, 3];

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return lower;
  if (code >= 48 && code <= 57) return digit;
  return code >= 65 && code <= 90 ? upper : other;
}

/** Random text has a seam at every second or third character; one long piece is suspicious with fewer. */
function seamsOfRandom(sample: string): number {
  if (sample.length >= 16 && /^[0-9a-f]+$/i.test(sample)) return 3;
  if (sample.length >= 30 && /^[A-Za-z0-9]+$/.test(sample)) return sample.length * 0.1;
  if (sample.length >= 20 && /^(?:[a-z0-9]+|[A-Z0-9]+)$/.test(sample)) return sample.length * 0.12;
  return sample.length * 0.2;
}

function lettersLookRandom(sample: string): boolean {
  const parts = sample.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const isMixed = /[a-z]/.test(sample) && /[A-Z]/.test(sample);
  if (isMixed) return sample.length >= 14 && sample.length / parts.length < 3.4;
  // One case only: words have vowels, and few consonants in a row.
  const vowels = sample.match(/[aeiouy]/gi)?.length ?? 0;
  if (sample.length < 20 || parts.some((part) => part.length < 12)) return false;
  return vowels < sample.length * 0.28 || /[^aeiouy]{6}/i.test(sample);
}

function bitsIn(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
