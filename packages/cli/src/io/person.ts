// A person at a terminal. What they typed before a question was shown answers nothing: a model can write what looks like a question.
import { setTimeout as after } from "node:timers/promises";
import type { CliIo } from "./cli-io.ts";

type Terminal = Pick<CliIo, "stdin" | "isTerminal">;

/** Whether somebody sits there who sees a question and can answer it. */
export function isAtTerminal({ stdin, isTerminal }: Terminal): boolean {
  return (stdin as { readonly isTTY?: boolean }).isTTY === true && isTerminal.stderr;
}

/** In which what was typed before comes in. */
const settleMs = 50;

export class Person {
  readonly #stdin: CliIo["stdin"];
  #isHeard = false;
  #rest = "";
  #hear: ((line: string | undefined) => void) | undefined;
  #hasLeft = false;

  constructor({ stdin }: Pick<CliIo, "stdin">) {
    this.#stdin = stdin;
  }

  /** The line that is typed after `show` has shown the question; nothing where nobody is there any more, or where `signal` takes it back. */
  async ask(show: () => void, signal: AbortSignal): Promise<string | undefined> {
    if (!this.#isHeard) void this.#listen();
    await after(settleMs, undefined, { signal }).catch(() => undefined);
    this.#rest = "";
    if (signal.aborted || this.#hasLeft) return undefined;
    show();
    return await new Promise((resolve) => {
      const takeBack = () => this.#hear?.(undefined);
      this.#hear = (line) => {
        this.#hear = undefined;
        signal.removeEventListener("abort", takeBack);
        resolve(line);
      };
      signal.addEventListener("abort", takeBack, { once: true });
      if (signal.aborted) takeBack();
    });
  }

  /** Not as a terminal of its own: so Ctrl-C is a signal, like everywhere else. */
  async #listen(): Promise<void> {
    this.#isHeard = true;
    const decoder = new TextDecoder();
    try {
      for await (const bytes of this.#stdin) {
        const lines = `${this.#rest}${decoder.decode(bytes, { stream: true })}`.split("\n");
        this.#rest = lines.pop() ?? "";
        for (const line of lines) this.#hear?.(line);
      }
    } catch {
      // A terminal that is gone says nothing more.
    }
    this.#hasLeft = true;
    this.#hear?.(undefined);
  }
}
