// A person at a terminal. What they typed before a question was shown answers nothing: a model can write what looks like a question.
import { setTimeout as after } from "node:timers/promises";
import type { ReadStream } from "node:tty";
import type { CliIo } from "./cli-io.ts";

type Terminal = Pick<CliIo, "stdin" | "isTerminal">;

/** Whether somebody sits there who sees a question and can answer it. */
export function isAtTerminal({ stdin, isTerminal }: Terminal): boolean {
  return (stdin as { readonly isTTY?: boolean }).isTTY === true && isTerminal.stderr;
}

/** In which what was typed before comes in. */
const settleMs = 50;
const interruptByte = 3;

export class Person {
  readonly #stdin: CliIo["stdin"];
  #isHeard = false;
  #rest = "";
  #hear: ((line: string | undefined) => void) | undefined;
  #hasLeft = false;
  #unheard = 0;
  #isRaw = false;

  constructor({ stdin }: Pick<CliIo, "stdin">) {
    this.#stdin = stdin;
  }

  /** The line that is typed after `show` has shown the question; nothing where nobody is there any more, or where `signal` takes it back. */
  async ask(show: () => void, signal: AbortSignal): Promise<string | undefined> {
    await this.#settle(signal);
    if (signal.aborted || this.#hasLeft) return undefined;
    show();
    const [line] = (await this.#lines(signal, false)) ?? [];
    return line;
  }

  /** The same, with all the lines that come at once: several are pasted. `isMore`: they go on what was heard last, and nothing is dropped between. */
  async askLines(show: () => void, signal: AbortSignal, isMore = false): Promise<string[] | undefined> {
    if (!isMore) await this.#settle(signal);
    if (signal.aborted || this.#hasLeft) return undefined;
    show();
    return await this.#lines(signal, true);
  }

  /** How many lines were typed while nobody had asked, since it was last told. */
  unheard(): number {
    const count = this.#unheard;
    this.#unheard = 0;
    return count;
  }

  /** A terminal keeps half a line to itself until it is ended, unless it is told to hand over every letter: then that is here, and dropped. */
  async #settle(signal: AbortSignal): Promise<void> {
    if (!this.#isHeard) void this.#listen();
    const terminal = this.#stdin as Partial<Pick<ReadStream, "setRawMode">>;
    terminal.setRawMode?.(true);
    this.#isRaw = terminal.setRawMode !== undefined;
    await after(settleMs, undefined, { signal }).catch(() => undefined);
    terminal.setRawMode?.(false);
    this.#isRaw = false;
    if (this.#rest.trim() !== "") this.#unheard += 1;
    this.#rest = "";
  }

  async #lines(signal: AbortSignal, isAll: boolean): Promise<string[] | undefined> {
    const lines: string[] = [];
    await new Promise<void>((resolve) => {
      const takeBack = () => this.#hear?.(undefined);
      this.#hear = (line) => {
        if (line === undefined || !isAll) this.#hear = undefined;
        if (line !== undefined) lines.push(line);
        signal.removeEventListener("abort", takeBack);
        resolve();
      };
      signal.addEventListener("abort", takeBack, { once: true });
      if (signal.aborted) takeBack();
    });
    if (isAll) await untilQuiet(lines);
    this.#hear = undefined;
    return lines.length === 0 ? undefined : lines;
  }

  /** Not as a terminal of its own: so Ctrl-C is a signal, like everywhere else. */
  async #listen(): Promise<void> {
    this.#isHeard = true;
    const decoder = new TextDecoder();
    try {
      for await (const bytes of this.#stdin) {
        // What is a signal everywhere else is a letter here.
        if (this.#isRaw && bytes.includes(interruptByte)) process.kill(process.pid, "SIGINT");
        const lines = `${this.#rest}${decoder.decode(bytes, { stream: true })}`.split("\n");
        this.#rest = lines.pop() ?? "";
        for (const line of lines) {
          if (this.#hear === undefined && line.trim() !== "") this.#unheard += 1;
          this.#hear?.(line);
        }
      }
    } catch {
      // A terminal that is gone says nothing more.
    }
    this.#hasLeft = true;
    this.#hear?.(undefined);
  }
}

/** As long as more come. */
async function untilQuiet(lines: readonly string[]): Promise<void> {
  for (let count = 0; count < lines.length; ) {
    count = lines.length;
    // oxlint-disable-next-line no-await-in-loop -- see above
    await after(settleMs);
  }
}
