// Whoever waits for many things is woken for many at once, and each then asks for its own. What is asked in the same turn is
// asked with one statement.
// The real one, also where a test has put fake timers in its place.
import { setImmediate } from "node:timers";

/** Questions in one statement. */
const maxTogether = 1000;

type Waiting<Answer> = Pick<PromiseWithResolvers<Answer>, "resolve" | "reject">;
type Asked<Question, Answer> = { readonly question: Question; readonly waiting: Waiting<Answer>[] };

/** Questions that are asked in the same turn, answered together; the same question is asked once. */
export class Gathered<Question, Answer> {
  readonly #answer: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  readonly #nameOf: (question: Question) => string;
  #gathering: Map<string, Asked<Question, Answer>> | undefined;

  /** `answer`: answers as many as there are questions, in their order. `nameOf`: the same for the same question. */
  constructor(
    answer: (questions: readonly Question[]) => Promise<readonly Answer[]>,
    nameOf: (question: Question) => string,
  ) {
    this.#answer = answer;
    this.#nameOf = nameOf;
  }

  ask(question: Question): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#gathering ??= this.#begin();
    const name = this.#nameOf(question);
    const same = this.#gathering.get(name) ?? { question, waiting: [] };
    same.waiting.push({ resolve, reject });
    this.#gathering.set(name, same);
    if (this.#gathering.size >= maxTogether) this.#gathering = undefined;
    return promise;
  }

  #begin(): Map<string, Asked<Question, Answer>> {
    const gathered = new Map<string, Asked<Question, Answer>>();
    setImmediate(() => {
      if (this.#gathering === gathered) this.#gathering = undefined;
      void this.#send([...gathered.values()]);
    });
    return gathered;
  }

  async #send(asked: readonly Asked<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#answer(asked.map(({ question }) => question));
      for (const [at, { waiting }] of asked.entries())
        for (const { resolve } of waiting) resolve(answers[at] as Answer);
    } catch (error) {
      for (const { waiting } of asked) for (const { reject } of waiting) reject(error);
    }
  }
}
