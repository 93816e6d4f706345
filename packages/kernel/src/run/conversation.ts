// What a model has seen and said, put together once: a step costs the same whether it is the tenth or the thousandth.
import { canonicalJson, type Digest, hashText } from "@spfunctions/contracts";
import type { ModelMessage } from "../model/model-adapter.ts";
import { isLastWord } from "./decide-run.ts";
import type { Run } from "./fold-run.ts";
import { messagesOfStep, openingMessages } from "./run-messages.ts";

/** Messages as a model is shown them, with what tells them from any others and what they count at most. */
export type Told = {
  readonly messages: readonly ModelMessage[];
  /** Over each message and all before it. */
  readonly digest: Digest;
  readonly bytes: number;
};

/** Why a model's last word is not what it must be. */
export type WhyWrong = (text: string) => string | undefined;

export class Conversation {
  readonly #whyWrong: WhyWrong;
  readonly #messages: ModelMessage[] = [];
  #digest: Digest = nothing;
  #bytes = 0;
  #steps = -1;

  constructor(whyWrong: WhyWrong = () => undefined) {
    this.#whyWrong = whyWrong;
  }

  /** Everything up to the model's next turn, of a run that was told here before up to some step. */
  upTo(run: Run): Told {
    if (this.#steps < 0) this.#take(openingMessages(run));
    this.#steps = Math.max(0, this.#steps);
    for (const step of run.steps.slice(this.#steps)) {
      this.#take(messagesOfStep(run, step));
      if (isLastWord(step)) this.#take(this.#askAgain(step.text));
    }
    this.#steps = run.steps.length;
    // A copy: whoever has it may keep it, and what comes later is not in it.
    return { messages: [...this.#messages], digest: this.#digest, bytes: this.#bytes };
  }

  /** Whoever is asked once more after its last word is told what was wrong with that. */
  #askAgain(text: string): ModelMessage[] {
    const why = this.#whyWrong(text);
    return why === undefined ? [] : [{ role: "user", text: `${why}. Answer once more, with that alone.` }];
  }

  #take(messages: readonly ModelMessage[]): void {
    for (const message of messages) {
      const next = toldAfter({ digest: this.#digest, bytes: this.#bytes }, message);
      this.#messages.push(freezeAll(message));
      this.#digest = next.digest;
      this.#bytes = next.bytes;
    }
  }
}

/** The same of messages that were put together otherwise. */
export function toldOf(messages: readonly ModelMessage[]): Told {
  const told = messages.reduce(toldAfter, { digest: nothing, bytes: 0 });
  return { messages: messages.map(freezeAll), ...told };
}

type Counted = Pick<Told, "digest" | "bytes">;

const nothing = hashText("simplefunctions conversation v1");

function toldAfter({ digest, bytes }: Counted, message: ModelMessage): Counted {
  const text = canonicalJson(message);
  return { digest: hashText(`${digest}\n${text}`), bytes: bytes + Buffer.byteLength(text) + 1 };
}

/** B2: no adapter changes what another attempt is asked. */
function freezeAll<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    for (const member of Object.values(value)) freezeAll(member);
    Object.freeze(value);
  }
  return value;
}
