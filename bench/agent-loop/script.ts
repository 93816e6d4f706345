// The same loop for everybody: a model that wants one note after the other, a tool that reads it, and a last word. It asks
// of whoever runs it that the model is shown everything that was said before, as each of them does unless told otherwise.
import assert from "node:assert/strict";

export const objective = "Read the notes, one after the other, and say when you are done.";
export const lastWord = "done";
export const description = "Reads a note.";

export class Script {
  readonly steps: number;
  #turn = 0;
  #reads = 0;
  #sum = 0;

  constructor(steps: number) {
    this.steps = steps;
  }

  /** Which note the model wants next; nothing once it has had all. Costs the same in every turn. */
  next(shown: readonly unknown[]): number | undefined {
    const read = this.#turn;
    assert.equal(shown.length, 1 + 2 * read, "the objective, and a call and its answer for every step");
    this.#turn += 1;
    if (read < this.steps) return read + 1;
    assert.ok(JSON.stringify(shown.at(-1)).includes(textOf(read)), "the last answer is shown last");
    return undefined;
  }

  /** What the tool does. */
  read(id: number): { text: string } {
    this.#reads += 1;
    this.#sum += id;
    return { text: textOf(id) };
  }

  verify(answer: unknown): void {
    const { steps } = this;
    assert.deepEqual([answer, this.#turn, this.#reads], [lastWord, steps + 1, steps]);
    assert.equal(this.#sum, (steps * (steps + 1)) / 2, "every note once");
  }
}

function textOf(id: number): string {
  return `what stands in note ${id}`;
}
