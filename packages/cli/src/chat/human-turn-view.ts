import type { SpectatorEvent, TurnResult } from "@spfunctions/agent/spectator";
import { isJsonObject, type RuntimeEvent } from "@spfunctions/contracts";
import { childTold } from "../children/child-told.ts";
import { ToldChildren } from "../children/told-children.ts";
import type { Printer } from "../io/printer.ts";
import { sayWhy } from "../run/human-view.ts";
import { ModelText } from "../run/model-text.ts";
import { progressTold } from "../runs/print-progress.ts";
import { CallLines } from "./call-lines.ts";
import { unseenOf } from "./unseen-of.ts";
import { printTurnEnd } from "./print-turn-end.ts";
import type { TurnView, TurnViewTerms } from "./turn-view.ts";

/** What its model says as it comes, a line for each call, and at its end what has changed. */
export function humanTurnView(terms: TurnViewTerms): TurnView {
  const screen = new Screen(terms);
  return {
    event: (event) => screen.event(event),
    pause: () => screen.pause(),
    cancelling: () => {
      const said = "cancelling: what has begun is seen to its end; a second Ctrl-C leaves at once";
      screen.err({ text: said, style: "dim" });
    },
    ended: (result) => screen.ended(result),
  };
}

class Screen {
  readonly #terms: TurnViewTerms;
  readonly #text: ModelText;
  readonly #calls: CallLines;
  readonly #children: ToldChildren;
  readonly #more: (event: RuntimeEvent) => void;
  /** What it has said so far, answer by answer. */
  #said = "";
  #isAnswering = false;

  constructor(terms: TurnViewTerms) {
    this.#terms = terms;
    const { print, io, options } = terms;
    const isSeenGrowing = io.isTerminal.stderr;
    this.#text = new ModelText(print, isSeenGrowing);
    this.#calls = new CallLines(print, { isSeenGrowing, options, argsOf: argsIn(terms) });
    this.#children = new ToldChildren(terms.source);
    this.#more = progressTold({ err: this.err }, options);
  }

  /** Whatever is printed stands on a line of its own. */
  readonly err: Printer["err"] = (...parts) => {
    this.pause();
    this.#terms.print.err(...parts);
  };

  pause(): void {
    this.#text.end();
    this.#calls.end();
  }

  async event(event: SpectatorEvent): Promise<void> {
    switch (event.type) {
      case "text":
        return this.#say(event.text);
      case "retrieved":
        return this.err({ text: `it is shown ${remembered(event.hits.length)}`, style: "dim" });
      case "runtime":
        return await this.#tell(event.event);
      default:
      // A wish is asked about, and what was condensed is told at the end.
    }
  }

  ended(result: TurnResult): void {
    this.pause();
    const { io, print } = this.#terms;
    if (!io.isTerminal.stdout) {
      if (result.text !== "") for (const line of result.text.split("\n")) print.out(line);
    } else this.#sayRest(unseenOf(result.text, this.#said));
    printTurnEnd(result, this.#terms);
  }

  #say(text: string): void {
    if (!this.#isAnswering) this.#text.begin();
    this.#isAnswering = true;
    this.#calls.end();
    this.#said += text;
    this.#text.push(text);
  }

  /** What was not seen as it came, whatever the reason. */
  #sayRest(text: string): void {
    if (text.trim() === "") return;
    this.#text.begin();
    this.#text.push(text);
    this.#text.end();
  }

  async #tell(event: RuntimeEvent): Promise<void> {
    for (const told of await this.#children.of(event)) {
      if (told.name !== undefined) {
        const { options } = this.#terms;
        childTold({ err: this.err }, told, options, (below, own) => tellOfChild(below, own, options));
      } else if (told.event.type === "model.started") this.#isAnswering = false;
      else if (isOfCall(told.event)) {
        this.#text.end();
        // oxlint-disable-next-line no-await-in-loop -- each before the next
        await this.#calls.take(told.event);
      } else this.#more(told.event);
    }
  }
}

function tellOfChild(print: Pick<Printer, "err">, event: RuntimeEvent, options: string): void {
  if (event.type === "approval.required") sayWhy(print, event);
  else progressTold(print, options)(event);
}

function isOfCall({ type }: RuntimeEvent): boolean {
  return /^(?:tool|policy|approval)\./.test(type);
}

/** By what its model has said, which is on record before anything of it is called. */
function argsIn({ runs }: TurnViewTerms): ConstructorParameters<typeof CallLines>[1]["argsOf"] {
  return async (runId, callId) => {
    const { steps } = await runs.read(runId).catch(() => ({ steps: [] }));
    const args = steps.flatMap(({ calls }) => calls).find((call) => call.callId === callId)?.args;
    return isJsonObject(args) ? args : undefined;
  };
}

function remembered(count: number): string {
  return count === 1 ? "one memory" : `${count} memories`;
}
