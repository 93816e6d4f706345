import { canonicalJson } from "@spfunctions/contracts";
import type { ModelMessage } from "../../model/model-adapter.ts";
import { condensedText } from "./condense.ts";
import type { Condensed } from "../state/fold-run.ts";
import type { LaidOut } from "./laid-out.ts";

/** The least that is shown of an answer of the last step. */
const leastAnswer = 200;

/** Ever less of what is shown now: half of it, a quarter of it, and so on. The last is the least that can be shown. */
export function* condensations(all: LaidOut, now: Condensed | undefined): Generator<Condensed> {
  const before = all.wholeFrom(now);
  let room = bytesIn(looseIn(all, before)) + Buffer.byteLength(now?.text ?? "");
  while (room > 0) {
    room = Math.floor(room / 2);
    yield within(all, before, room);
  }
}

/** With so many bytes for what is not shown in any case, a quarter of them for the text. */
function within(all: LaidOut, before: number, room: number): Condensed {
  const most = room - Math.floor(room / 4);
  const from = boundary(all, before, most);
  const gone = looseIn(all, 0, from).toReversed();
  return {
    messages: from,
    steps: all.steps,
    text: gone.length === 0 ? "" : condensedText(gone, room - most),
    answerChars: answerChars(looseIn(all, from), most),
  };
}

/** The first place from which on everything fits; the last step in any case. No answer stands without its call. */
function boundary(all: LaidOut, before: number, mostBytes: number): number {
  const last = all.startOf(all.steps);
  let from = last;
  let bytes = 0;
  for (let at = all.length - 1; at >= before; at -= 1) {
    const message = all.loose(at);
    if (message === undefined) continue;
    bytes += bytesIn([message]);
    if (bytes > mostBytes) break;
    if (at < last && message.role !== "tool") from = at;
  }
  return from;
}

/** Where even the last step does not fit: how much of each answer would. */
function answerChars(kept: readonly ModelMessage[], mostBytes: number): number | undefined {
  const answers = kept.filter(({ role }) => role === "tool");
  const over = bytesIn(kept) - mostBytes;
  if (over <= 0 || answers.length === 0) return undefined;
  return Math.max(leastAnswer, Math.floor((bytesIn(answers) - over) / answers.length));
}

/** What is not shown in any case, from one place to another. */
function looseIn(all: LaidOut, from: number, to: number = all.length): ModelMessage[] {
  return Array.from({ length: to - from }, (_, index) => all.loose(from + index) ?? []).flat();
}

function bytesIn(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + Buffer.byteLength(canonicalJson(message)) + 1, 0);
}
