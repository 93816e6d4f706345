// Providers take names of A-Z, a-z, 0-9, _ and - alone. Inside one request every name has its own, and is known again by it.
import { hashText, compatNameOf } from "@spfunctions/contracts";

const taken = /^[A-Za-z0-9_-]+$/;

/** Names in a form that every provider takes, and the way back. Which one a name gets follows from all the names, not their order. */
export class WireNames {
  readonly #wire = new Map<string, string>();
  readonly #own = new Map<string, string>();

  constructor(names: Iterable<string>, most: number) {
    const all = [...new Set(names)].toSorted();
    const isFit = (name: string) => taken.test(name) && name.length <= most;
    for (const name of all.filter(isFit)) this.#keep(name, name);
    for (const name of all.filter((one) => !isFit(one))) this.#keep(name, this.#freeFor(name, most));
  }

  wire(name: string): string {
    return this.#wire.get(name) ?? name;
  }

  /** A name that was never given stays as it is: whoever asked will not know it either. */
  own(wire: string): string {
    return this.#own.get(wire) ?? wire;
  }

  #keep(name: string, wire: string): void {
    this.#wire.set(name, wire);
    this.#own.set(wire, name);
  }

  #freeFor(name: string, most: number): string {
    const plain = compatNameOf(name);
    if (plain.length <= most && taken.test(plain) && !this.#own.has(plain)) return plain;
    const readable = plain.replaceAll(/[^A-Za-z0-9_-]/g, "_");
    for (let round = 0; ; round++) {
      const mark = hashText(JSON.stringify([name, round])).slice("sha256:".length, "sha256:".length + 12);
      const wire = `${readable.slice(0, most - mark.length - 1)}_${mark}`;
      if (!this.#own.has(wire)) return wire;
    }
  }
}
