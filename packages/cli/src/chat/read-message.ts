// What a person says. Lines that come at once were pasted, and are one message with what follows, until a line with nothing on it.
import type { Person } from "../io/person.ts";
import type { Printer } from "../io/printer.ts";

/**
 * A line that is typed in a chat.
 * @limit cli.lineBytes | nothing is sent, and it is said; paste it as several lines, or use --once - | fixed: terminals cut longer ones without a word
 */
const longestLine = 4095;

export type Message = { readonly text: string } | { readonly cut: number };

/** Nothing where nobody is there any more, or where `signal` takes it back. */
export async function readMessage(
  person: Person,
  prompt: string,
  { print, signal }: { readonly print: Pick<Printer, "err" | "ask">; readonly signal: AbortSignal },
): Promise<Message | undefined> {
  const lines: string[] = [];
  let isPasted = false;
  for (let isMore = false; ; isMore = true) {
    const show = () => {
      if (!isMore) sayUnheard(person, print);
      print.ask({ text: isMore ? "…> " : prompt, style: "bold" });
    };
    // oxlint-disable-next-line no-await-in-loop -- until it is whole
    const come = await person.askLines(show, signal, isMore);
    if (come === undefined) return undefined;
    if (come.some((line) => Buffer.byteLength(line) >= longestLine)) return { cut: longestLine };
    const [line = ""] = come;
    const isAlone = come.length === 1;
    if (isAlone && isPasted && line.trim() === "") return { text: lines.join("\n") };
    if (isAlone && !isPasted && !line.endsWith("\\")) return { text: [...lines, line].join("\n") };
    if (!isAlone && !isPasted) {
      isPasted = true;
      print.err({ text: `${come.length} lines at once: a line with nothing on it sends them`, style: "dim" });
    }
    lines.push(...(isAlone && !isPasted ? [line.slice(0, -1)] : come));
  }
}

function sayUnheard(person: Person, { err }: Pick<Printer, "err">): void {
  const count = person.unheard();
  if (count === 0) return;
  const what = count === 1 ? "a line that was typed before is" : `${count} lines that were typed before are`;
  err({ text: `${what} not taken: only what follows the prompt is`, style: "dim" });
}
