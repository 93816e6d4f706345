// What a model has seen and said, put together once: a step costs the same whether it is the tenth or the thousandth. The whole is
// kept; what a model is shown is a projection of it, with calls and their answers kept together.
import { canonicalJson, type Digest, hashText } from "@spfunctions/contracts";
import type { ModelMessage } from "../model/model-adapter.ts";
import { condensedText, shortened } from "./condense.ts";
import { isLastWord } from "./decide-run.ts";
import type { Condensed, Run } from "./fold-run.ts";
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
  /** What was said in the runs of its session before. */
  readonly #history: readonly ModelMessage[];
  /** Instructions, then what was said before, then what it is to do, then what came of that. */
  readonly #all: ModelMessage[] = [];
  /** Bytes of each that is shown. */
  readonly #sizes: number[] = [];
  /** How many of all were looked at, whether they are shown. */
  #seen = 0;
  #lead = 0;
  #objectiveAt = 0;
  #stepsAt = 0;
  #steps = -1;
  #condensed: Condensed | undefined;
  #shown: ModelMessage[] = [];
  #digest: Digest = nothing;
  #bytes = 0;

  constructor(whyWrong: WhyWrong = () => undefined, history: readonly ModelMessage[] = []) {
    this.#whyWrong = whyWrong;
    this.#history = history;
  }

  /** Everything up to the model's next turn, of a run that was told here before up to some step. */
  upTo(run: Run): Told {
    if (this.#steps < 0) this.#open(run);
    for (const step of run.steps.slice(this.#steps)) {
      this.#take(messagesOfStep(run, step));
      if (isLastWord(step)) this.#take(this.#askAgain(step.text));
    }
    this.#steps = run.steps.length;
    if (run.condensed !== this.#condensed) this.#beginAgain(run.condensed);
    for (; this.#seen < this.#all.length; this.#seen += 1)
      if (this.#isWhole(this.#seen, this.#condensed?.messages ?? 0)) this.#show(this.#seen);
    // A copy: whoever has it may keep it, and what comes later is not in it.
    return { messages: [...this.#shown], digest: this.#digest, bytes: this.#bytes };
  }

  #open(run: Run): void {
    const opening = openingMessages(run);
    const lead = opening.findIndex(({ role }) => role !== "system");
    this.#lead = lead < 0 ? opening.length : lead;
    this.#take(opening.slice(0, this.#lead));
    this.#take(this.#history);
    this.#objectiveAt = this.#all.length;
    this.#take(opening.slice(this.#lead));
    this.#stepsAt = this.#all.length;
    this.#steps = 0;
  }

  /** Whoever is asked once more after its last word is told what was wrong with that. */
  #askAgain(text: string): ModelMessage[] {
    const why = this.#whyWrong(text);
    return why === undefined ? [] : [{ role: "user", text: `${why}. Answer once more, with that alone.` }];
  }

  #take(messages: readonly ModelMessage[]): void {
    for (const message of messages) this.#all.push(freezeAll(message));
  }

  #show(index: number): void {
    const message = cut(this.#all[index] as ModelMessage, this.#condensed?.answerChars);
    const before = this.#bytes;
    this.#tell(message);
    this.#sizes[index] = this.#bytes - before;
  }

  #tell(message: ModelMessage): void {
    const next = toldAfter({ digest: this.#digest, bytes: this.#bytes }, message);
    this.#shown.push(freezeAll(message));
    this.#digest = next.digest;
    this.#bytes = next.bytes;
  }

  #beginAgain(condensed: Condensed | undefined): void {
    this.#condensed = condensed;
    this.#shown = [];
    this.#digest = nothing;
    this.#bytes = 0;
    for (this.#seen = 0; this.#seen < this.#lead; this.#seen += 1) this.#show(this.#seen);
    if (condensed !== undefined) this.#tell({ role: "user", text: condensed.text });
  }

  /** Instructions, and what the run is to do, are shown in any case. */
  #isWhole(index: number, from: number): boolean {
    return index >= from || index < this.#lead || (index >= this.#objectiveAt && index < this.#stepsAt);
  }

  /** How it would be shown within so many bytes, and with as many again to spare. Nothing where no less can be shown. */
  condense(mostBytes: number): Condensed | undefined {
    const wanted = Math.floor(mostBytes / 2);
    const textChars = Math.max(leastText, Math.floor(mostBytes / 8));
    const before = Math.max(this.#lead, this.#condensed?.messages ?? 0);
    const from = this.#boundary(before, wanted - textChars);
    const answerChars = this.#answerChars(from, wanted - textChars);
    const most = this.#condensed?.answerChars;
    const isLess = from > before || (answerChars !== undefined && (most === undefined || answerChars < most));
    if (!isLess || from === 0) return undefined;
    const gone = this.#all.filter((_, index) => !this.#isWhole(index, from));
    return { messages: from, text: condensedText(gone, textChars), answerChars: answerChars ?? most };
  }

  /** The first place from which on everything fits; the last step in any case. No answer stands without its call. */
  #boundary(before: number, mostBytes: number): number {
    let bytes = this.#bytesFrom(before);
    let last = before;
    for (let at = before; at < this.#all.length; at += 1) {
      if (this.#all[at]?.role !== "tool") {
        last = at;
        if (bytes <= mostBytes) return at;
      }
      if (!(at >= this.#objectiveAt && at < this.#stepsAt)) bytes -= this.#sizes[at] ?? 0;
    }
    return last;
  }

  #bytesFrom(from: number): number {
    let bytes = 0;
    for (const index of this.#all.keys()) if (this.#isWhole(index, from)) bytes += this.#sizes[index] ?? 0;
    return bytes;
  }

  /** Where even the last step does not fit: how much of each answer would. */
  #answerChars(from: number, mostBytes: number): number | undefined {
    const over = this.#bytesFrom(from) - mostBytes;
    if (over <= 0) return undefined;
    const answers = [...this.#all.keys()].filter((at) => at >= from && this.#all[at]?.role === "tool");
    if (answers.length === 0) return undefined;
    const room = answers.reduce((sum, at) => sum + (this.#sizes[at] ?? 0), 0) - over;
    // A character is at most three bytes, and six where it is escaped.
    return Math.max(leastAnswer, Math.floor(room / answers.length / 3));
  }
}

const leastText = 500;
const leastAnswer = 200;

function cut(message: ModelMessage, mostChars: number | undefined): ModelMessage {
  if (mostChars === undefined || message.role !== "tool" || message.text.length <= mostChars) return message;
  return { ...message, text: shortened(message.text, mostChars) };
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
