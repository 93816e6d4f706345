// What a model has seen and said, put together once: a step costs the same whether it is the tenth or the thousandth. The whole is
// kept; what a model is shown is a projection of it.
import { canonicalJson, type Digest, hashText, readCanonicalJson } from "@spfunctions/contracts";
import { type ContentDraft, draftContent } from "../../journal/record-draft.ts";
import type { ModelMessage } from "../../model/model-adapter.ts";
import { condensations } from "./condensations.ts";
import { contentRef } from "../../time/ids.ts";
import { isLastWord } from "../state/decide-run.ts";
import type { Condensed, Run } from "../state/fold-run.ts";
import { LaidOut } from "./laid-out.ts";
import { messagesOfStep, openingMessages } from "./run-messages.ts";
import type { RunStep } from "../state/run-step.ts";

/** Messages as a model is shown them, with what tells them from any others and what they count at most. */
export type Told = {
  readonly messages: readonly ModelMessage[];
  /** Over each message and all before it. */
  readonly digest: Digest;
  readonly bytes: number;
};

/** Why a model's last word is not what it must be. */
export type WhyWrong = (text: string, step: Pick<RunStep, "isAlone">) => string | undefined;

export class Conversation {
  readonly #whyWrong: WhyWrong;
  /** What was said in the runs of its session before. */
  readonly #history: readonly ModelMessage[];
  #all: LaidOut | undefined;
  #condensed: Condensed | undefined;
  /** How many of what it was told besides are in it. */
  #notes = 0;
  /** How many of all were looked at, whether they are shown. */
  #seen = 0;
  #shown: ModelMessage[] = [];
  #told: Counted = nothing;

  constructor(whyWrong: WhyWrong = () => undefined, history: readonly ModelMessage[] = []) {
    this.#whyWrong = whyWrong;
    this.#history = history;
  }

  /** Everything up to the model's next turn, of a run that was told here before up to some step. */
  upTo(run: Run): Told {
    this.#all ??= new LaidOut(openingMessages(run), this.#history);
    this.#layNotes(this.#all, run);
    for (const step of run.steps.slice(this.#all.steps)) {
      this.#all.add([...messagesOfStep(run, step), ...(isLastWord(step) ? this.#askAgain(step) : [])]);
      this.#layNotes(this.#all, run);
    }
    if (run.condensed !== this.#condensed) {
      this.#condensed = run.condensed;
      this.#seen = 0;
      this.#shown = [];
      this.#told = nothing;
    }
    for (const message of this.#all.projected(this.#condensed, this.#seen)) {
      this.#told = toldAfter(this.#told, message);
      this.#shown.push(freezeAll(message));
    }
    this.#seen = this.#all.length;
    // A copy: whoever has it may keep it, and what comes later is not in it.
    return { messages: [...this.#shown], ...this.#told };
  }

  /** Those that come after the last step that is there, and are not there yet. */
  #layNotes(all: LaidOut, { notes }: Run): void {
    for (
      let note = notes[this.#notes];
      note !== undefined && note.after <= all.steps;
      note = notes[this.#notes]
    ) {
      all.append([{ role: "user", text: note.text }]);
      this.#notes += 1;
    }
  }

  /** Whoever is asked once more after its last word is told what was wrong with that. */
  #askAgain(step: RunStep): ModelMessage[] {
    const why = this.#whyWrong(step.text, step);
    return why === undefined ? [] : [{ role: "user", text: `${why}. Answer once more, with that alone.` }];
  }

  /** Ever less of what was told last; the last is the least that can be. */
  condensations(): Iterable<Condensed> {
    return this.#all === undefined ? [] : condensations(this.#all, this.#condensed);
  }

  /** The same, told so. */
  toldAs(condensed: Condensed): Told {
    return toldOf([...(this.#all?.projected(condensed) ?? [])]);
  }
}

/** The same of messages that were put together otherwise. */
export function toldOf(messages: readonly ModelMessage[]): Told {
  return { messages: messages.map(freezeAll), ...messages.reduce(toldAfter, nothing) };
}

/** A digest of what was told, as content: whoever erases what it quotes erases it, too. */
export function draftTold(unique: string, salt: string, digest: Digest): ContentDraft {
  return draftContent(contentRef(unique, "told"), salt, canonicalJson(digest));
}

/** The same of a row that has it still. */
export function toldDigestIn(text: string): string {
  return readCanonicalJson(text) as string;
}

type Counted = Pick<Told, "digest" | "bytes">;

const nothing: Counted = { digest: hashText("simplefunctions conversation v1"), bytes: 0 };

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
