// What is encoded is searched as it reads when the encoding is taken off; what is found there is hidden where it stands.
import type { Part } from "./encoded-parts.ts";
import {
  brokenLines,
  type Encoding,
  entities,
  jsonEscapes,
  percentSigns,
  percentSignsTwice,
} from "./encodings.ts";

/** A text as it reads in one way, and where its characters stand in the text itself. */
export class Reading {
  readonly text: string;
  /** Whether lines were joined for it. */
  readonly isJoined: boolean;
  /** What was decoded; of what is read as it stands, where that begins in the text itself. */
  readonly #of: Reading | number;
  readonly #places: Places;

  constructor(text: string, of: Reading | number, places = nowhere, isJoined = false) {
    this.text = text;
    this.#of = of;
    this.#places = places;
    this.isJoined = isJoined;
  }

  /** Where the character at this place begins in the text itself. */
  startOf(at: number): number {
    const start = this.#places.startOf(at);
    return typeof this.#of === "number" ? this.#of + start : this.#of.startOf(start);
  }

  /** Where the character before this place ends in the text itself. */
  endOf(at: number): number {
    const end = this.#places.endOf(at);
    return typeof this.#of === "number" ? this.#of + end : this.#of.endOf(end);
  }
}

/** Where something was decoded, in order: there from `from` to `to`, here from `start` to `end`. */
class Places {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #froms: number[] = [];
  readonly #tos: number[] = [];

  add(start: number, end: number, from: number, to: number): void {
    this.#starts.push(start);
    this.#ends.push(end);
    this.#froms.push(from);
    this.#tos.push(to);
  }

  startOf(at: number): number {
    const place = this.#last(at);
    const end = this.#ends[place] ?? 0;
    return at < end ? (this.#froms[place] as number) : at - end + (this.#tos[place] ?? 0);
  }

  endOf(at: number): number {
    const place = this.#last(at - 1);
    const end = this.#ends[place] ?? 0;
    return at <= end ? (this.#tos[place] as number) : at - end + (this.#tos[place] ?? 0);
  }

  /** The last place that begins at or before this character; -1 if none does. */
  #last(at: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= at) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

const nowhere = new Places();

/** Reads another one's text in one way; null where it reads the same. */
type Way = (reading: Reading) => Reading | null;

const inJson = jsonEscapes.map(decoding);
const inOthers = [percentSigns, percentSignsTwice, entities].map(decoding).concat(fromForm, fromFormTwice);
const inLines = [decoding(brokenLines)];

/** Every way in which a text may be read: as it is and with its lines joined, and these parts of it also decoded. */
export function readingsOf(text: string, parts: readonly Part[]): readonly Reading[] {
  const readings = [new Reading(text, 0)];
  addRead(readings, inLines);
  for (const part of parts) readings.push(...decodedReadings(text, part));
  addRead(readings, [withSmallDigits]);
  return readings;
}

/** A text without its percent-encoding, as an address or a form has it: all of it, if it was encoded twice. */
export function percentReadings(text: string, from: number): readonly Reading[] {
  let written = new Reading(text, from);
  for (let layers = 0; layers < maxLayers && encodedThrice.test(written.text); layers++)
    written = decodedBy(percentSigns, written) ?? written;
  return readingsOfTwice(written);
}

/** More than twice: each further time is taken off first. */
const encodedThrice = /%2525[\da-f]{2}/i;
const maxLayers = 3;

function readingsOfTwice(written: Reading): readonly Reading[] {
  const { text } = written;
  const isTwice = /%25[\da-f]{2}/i.test(text);
  const ofForm = isTwice ? [fromFormTwice, fromFormInAddress] : [fromForm, fromFormInAddress];
  const plain = decodedBy(isTwice ? percentSignsTwice : percentSigns, written);
  const forms = isLongBase64.test(plain?.text ?? text) ? [] : ofForm.map((way) => way(written));
  // Encoded twice, a plus sign of the text itself is %252B.
  const isForm = isTwice && /%2b/i.test(text) && forms.length > 0;
  return [...(isForm ? [] : [plain]), ...forms].filter((reading) => reading !== null);
}

/** There a plus sign is no space. */
const isLongBase64 = /[A-Za-z0-9+/]{200}/;

/** Without the escapes of JSON, without another encoding, or without both; each also with its lines joined. */
function decodedReadings(text: string, { from, to }: Part): readonly Reading[] {
  const readings = [new Reading(text.slice(from, to), from)];
  addRead(readings, inJson);
  addRead(readings, inOthers);
  const [, ...decoded] = readings;
  addRead(decoded, inLines);
  return decoded;
}

/** Adds to the readings so far what each of them reads in each of these ways, where that differs. */
function addRead(readings: Reading[], ways: readonly Way[]): void {
  for (const reading of readings.slice()) {
    for (const way of ways) {
      const read = way(reading);
      if (read !== null) readings.push(read);
    }
  }
}

function decoding(encoding: Encoding): Way {
  return (reading) => decodedBy(encoding, reading);
}

/** As in a form, where a space is a plus sign: all of them at once, because a character for a character moves nothing. */
function fromForm(reading: Reading): Reading | null {
  const spaced = withSpaces(reading);
  return spaced === null ? null : (decodedBy(percentSigns, spaced) ?? spaced);
}

/** The same where all but the spaces was percent-encoded once more. */
function fromFormTwice(reading: Reading): Reading | null {
  const spaced = withSpaces(reading);
  return spaced === null ? null : decodedBy(percentSignsTwice, spaced);
}

/** A form that was percent-encoded as a whole. */
function fromFormInAddress(reading: Reading): Reading | null {
  const form = /%2b/i.test(reading.text) ? decodedBy(percentSigns, reading) : null;
  return form === null ? null : fromForm(form);
}

function withSpaces(reading: Reading): Reading | null {
  return reading.text.includes("+") ? new Reading(reading.text.replaceAll("+", " "), reading) : null;
}

/** Hex, as long as that of the shortest secret that is looked for in it, and what every such run with a capital has in it. */
const hex = /[\dA-Fa-f]{16,}/g;
const capitalInHex = /[A-F](?:[\dA-Fa-f]{7}|(?<=[\dA-Fa-f]{8}))/;

/** With the digits of hex in small letters: it is written in either case, or in both. */
function withSmallDigits(reading: Reading): Reading | null {
  if (!capitalInHex.test(reading.text)) return null;
  const text = reading.text.replaceAll(hex, (run) => run.toLowerCase());
  return text === reading.text ? null : new Reading(text, reading, nowhere, reading.isJoined);
}

function decodedBy(encoding: Encoding, reading: Reading): Reading | null {
  const { text } = reading;
  const { marks, pattern, decode } = encoding;
  if (!marks.some((mark) => text.includes(mark))) return null;
  let places: Places | undefined;
  let result = "";
  let done = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { 0: written, index } = match;
    const character = decode(written);
    if (character === null) continue;
    result += text.slice(done, index);
    done = index + written.length;
    (places ??= new Places()).add(result.length, result.length + character.length, index, done);
    result += character;
  }
  if (places === undefined) return null;
  return new Reading(result + text.slice(done), reading, places, encoding === brokenLines);
}
