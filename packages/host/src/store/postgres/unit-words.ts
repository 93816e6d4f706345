// A unit as the words that `commit_units` reads. First how many they are, whether it is a single step, its time and the
// notification that the commit sends: none, because wakes are sent after it. Then its steps, each a name and what belongs to it
// in a fixed order.
import type {
  Append,
  ClaimKey,
  ClaimWrite,
  DocumentKey,
  DocumentWrite,
  Durability,
  Erasure,
  Unit,
} from "@spfunctions/kernel";
import { keptIdentifier, keptText } from "./kept-text.ts";

/** A unit as it was when it was handed over: it is sent later, and its caller may change it until then. */
export type WordedUnit = {
  readonly durability: Durability;
  readonly words: readonly (string | null)[];
  /** What it touches: whoever sends several steps at once waits for all of it first. */
  readonly touches: readonly string[];
  /** A single step cannot be left half done. */
  readonly isSingle: boolean;
  /** Whether it has records, which only the holder of their stream writes. */
  readonly needsLease: boolean;
};

export function wordsOf(unit: Unit): WordedUnit {
  const { durability, now, appends = [], documents = [], claims = [], erasures = [] } = unit;
  const words = new Words();
  for (const append of appends) words.append(append);
  const others = documents.length + claims.length + erasures.length;
  if (others > 0 && appends.some(({ records }) => records.length > 0)) words.rest();
  for (const write of documents) words.document(write);
  for (const write of claims) words.claim(write);
  for (const erasure of erasures) words.erase(erasure);
  return words.unit(durability, now, appends.length > 0);
}

/** Giving a stream up goes the way of the commits that were asked for before. */
export function wordsOfRelease(stream: string, epoch: number): WordedUnit {
  const words = new Words();
  words.free(stream, epoch);
  return words.unit("process", 0, false);
}

class Words {
  readonly #words: (string | null)[] = ["", "", "", null];
  readonly #touches: string[] = [];
  #steps = 0;

  append({ stream, epoch, records }: Append): void {
    const name = keptIdentifier(stream);
    const place = this.#words.length + 1;
    this.#step("stream", name);
    this.#words.push("append", name, wholeWord(epoch));
    for (const [at, { seq, prev, hash, text, content }] of records.entries()) {
      if (at > 0) this.#steps += 1;
      this.#words.push("record", `${place}`, wholeWord(seq), keptText(prev), keptText(hash), keptText(text));
      for (const [nth, row] of content.entries()) {
        const [salt, kept] = "text" in row ? [keptText(row.salt), keptText(row.text)] : [null, null];
        this.#words.push("content", `${nth}`, keptIdentifier(row.ref), salt, kept);
      }
    }
  }

  /** What follows is left out where all records were there already. */
  rest(): void {
    this.#words.push("rest");
  }

  document(write: DocumentWrite): void {
    const key = documentWords(write);
    this.#step("document", ...key);
    if (write.type === "remove") {
      if (write.expects === 0) this.#words.push("miss", ...key);
      else this.#words.push("remove", ...key, wholeWord(write.expects));
      return;
    }
    const kept = [...key, keptIdentifier(write.status), keptText(write.body)];
    if (write.type === "keep") this.#words.push("keep", ...kept);
    else if (write.expects === 0) this.#words.push("make", ...kept);
    else this.#words.push("change", ...kept, wholeWord(write.expects));
  }

  claim(write: ClaimWrite): void {
    const key = claimWords(write);
    this.#step("claim", ...key);
    const digest = keptText(write.digest);
    if (write.type === "release") this.#words.push("release", ...key, digest);
    else this.#words.push(write.type, ...key, digest, keptText(write.ref), numberWord(write.expiresAt));
  }

  erase({ stream, accountId, seq, ref }: Erasure): void {
    const name = keptIdentifier(stream);
    this.#step("stream", name);
    this.#words.push("erase", name, keptIdentifier(accountId), wholeWord(seq), keptIdentifier(ref));
  }

  free(stream: string, epoch: number): void {
    const name = keptIdentifier(stream);
    this.#step("stream", name);
    this.#words.push("free", name, wholeWord(epoch));
  }

  unit(durability: Durability, now: number, needsLease: boolean): WordedUnit {
    const isSingle = this.#steps <= 1;
    const words = this.#words;
    words.splice(0, 4, `${words.length}`, isSingle ? "single" : "several", numberWord(now), null);
    return { durability, words, touches: this.#touches, isSingle, needsLease };
  }

  #step(...touched: readonly string[]): void {
    this.#steps += 1;
    // No kept text has this character in it.
    this.#touches.push(touched.join("\u0000"));
  }
}

function documentWords({ accountId, kind, id }: DocumentKey): [account: string, kind: string, id: string] {
  return [keptIdentifier(accountId), keptIdentifier(kind), keptIdentifier(id)];
}

function claimWords({ accountId, scope, key }: ClaimKey): [account: string, scope: string, key: string] {
  return [keptIdentifier(accountId), keptIdentifier(scope), keptIdentifier(key)];
}

/** A whole number, or for any other one that never stands anywhere. */
function wholeWord(value: number): string {
  return Number.isSafeInteger(value) ? `${value}` : "-1";
}

function numberWord(value: number): string {
  if (typeof value !== "number") throw new TypeError("a time is not a number");
  return `${value}`;
}
