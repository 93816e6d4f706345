// A person at a terminal, for runs in this process: types a line whenever they are asked.
import type { CliIo } from "../src/index.ts";

export type TypedTerminal = Pick<CliIo, "stdin" | "stdout" | "stderr" | "isTerminal"> & {
  /** All that the screen has shown, without colours. */
  readonly screen: () => string;
  readonly out: () => string;
};

const prompt = "or later? ";

/** Each line is typed when the next question has been shown; `before` is typed before anything is. After the last line nothing comes. */
export function typedTerminal(lines: readonly string[], before = ""): TypedTerminal {
  let [screen, out] = ["", ""];
  let asked = Promise.withResolvers<void>();
  const stderr = (text: string) => {
    screen += text;
    if (text.includes(prompt)) asked.resolve();
  };
  async function* typed(): AsyncGenerator<Uint8Array> {
    if (before !== "") yield Buffer.from(before);
    for (const line of lines) {
      await asked.promise;
      asked = Promise.withResolvers();
      yield Buffer.from(`${line}\n`);
    }
    await new Promise(() => undefined);
  }
  return {
    stdin: Object.assign(typed(), { isTTY: true }),
    stdout: (text) => {
      out += text;
      screen += text;
    },
    stderr,
    isTerminal: { stdout: true, stderr: true },
    screen: () => screen.replaceAll(/\u001b\[\d+m/g, ""),
    out: () => out,
  };
}
