// Everything that was said, in the order in which a model is shown it, and what of it is shown: instructions and what the run is to do
// whole in any case, calls and their answers together.
import type { ModelMessage } from "../../model/model-adapter.ts";
import { shortened } from "./condense.ts";
import type { Condensed } from "../state/fold-run.ts";

export class LaidOut {
  /** Instructions, then what was said before, then what it is to do, then what came of that. */
  readonly #all: ModelMessage[];
  readonly lead: number;
  readonly #objectiveAt: number;
  /** Where the opening ends, and each step. */
  readonly #ends: number[];

  constructor(opening: readonly ModelMessage[], history: readonly ModelMessage[]) {
    const lead = opening.findIndex(({ role }) => role !== "system");
    this.lead = lead < 0 ? opening.length : lead;
    this.#objectiveAt = this.lead + history.length;
    this.#all = [...opening.slice(0, this.lead), ...history, ...opening.slice(this.lead)];
    this.#ends = [this.#all.length];
  }

  get length(): number {
    return this.#all.length;
  }

  get steps(): number {
    return this.#ends.length - 1;
  }

  add(step: readonly ModelMessage[]): void {
    this.#all.push(...step);
    this.#ends.push(this.#all.length);
  }

  /** After what was added last, and together with it. */
  append(messages: readonly ModelMessage[]): void {
    this.#all.push(...messages);
    this.#ends[this.#ends.length - 1] = this.#all.length;
  }

  /** Nothing where it is shown in any case. */
  loose(at: number): ModelMessage | undefined {
    const isFixed = at < this.lead || (at >= this.#objectiveAt && at < this.#endOf(0));
    return isFixed ? undefined : this.#all[at];
  }

  /** Where a step begins; before the first there is only the opening. */
  startOf(step: number): number {
    return this.#endOf(Math.max(0, step - 1));
  }

  #endOf(step: number): number {
    return this.#ends[step] ?? this.#all.length;
  }

  /** What is shown of it, from a place on. */
  *projected(condensed: Condensed | undefined, since = 0): Generator<ModelMessage> {
    const from = this.wholeFrom(condensed);
    const cutUpTo = condensed === undefined ? 0 : this.#endOf(condensed.steps);
    for (let at = since; at < this.#all.length; at += 1) {
      if (at === this.lead && condensed !== undefined && condensed.text !== "")
        yield { role: "user", text: condensed.text };
      const loose = this.loose(at);
      if (loose === undefined) yield this.#all[at] as ModelMessage;
      else if (at >= from) yield at < cutUpTo ? cut(loose, condensed?.answerChars) : loose;
    }
  }

  /** Never behind what was the last step then, nor between a call and its answers: something of it may be erased since. */
  wholeFrom(condensed: Condensed | undefined): number {
    if (condensed === undefined) return 0;
    let from = Math.min(condensed.messages, this.startOf(condensed.steps));
    while (from > 0 && this.#all[from]?.role === "tool") from -= 1;
    return from;
  }
}

function cut(message: ModelMessage, mostChars: number | undefined): ModelMessage {
  if (mostChars === undefined || message.role !== "tool") return message;
  return { ...message, text: shortened(message.text, mostChars) };
}
