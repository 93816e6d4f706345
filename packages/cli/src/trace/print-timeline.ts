import type { Verdict } from "@spfunctions/contracts";
import { durationText } from "../call/five-answers.ts";
import type { Part, Printer } from "../io/printer.ts";
import { fitLine } from "./fit-line.ts";
import { timelineRows } from "./timeline-rows.ts";
import type { TimelineCall } from "./timeline.ts";

/** A block for each call: when, what, how it ended, and below it who, why, at what price, with what, and the proof. */
export function printTimeline(
  print: Pick<Printer, "out">,
  calls: readonly TimelineCall[],
  columns: number,
): void {
  for (const [index, call] of calls.entries()) {
    if (index > 0) print.out("");
    print.out(...headline(call));
    for (const [name, text] of timelineRows(call)) {
      if (text === undefined || text === "") continue;
      print.out(
        "  ",
        { text: name.padEnd(nameWidth), style: "dim" },
        " ",
        fitLine(text, columns - nameWidth - 3),
      );
    }
  }
}

const nameWidth = 8;

function headline({ entry, offsetMs, verdict, followed }: TimelineCall): Part[] {
  const { tool, status, error, durationMs } = entry;
  const isDone = status === "completed" && error === undefined;
  const isRefused = status === "denied_before_execution";
  const isRepeated = followed.some(({ type }) => type === "repeated");
  const word = isRefused ? wordOf(verdict) : status.replace("_", " ");
  const took = isRefused ? "" : isRepeated ? " before; nothing ran" : ` in ${durationText(durationMs)}`;
  return [
    { text: offsetText(offsetMs), style: "dim" },
    "  ",
    { text: fitLine(tool, 80), style: "bold" },
    "  ",
    { text: word, style: isDone ? "green" : isRefused || status === "unknown" ? "yellow" : "red" },
    took,
  ];
}

function wordOf({ outcome }: Verdict): string {
  if (outcome === "ask") return "held for approval";
  return outcome === "deny" ? "refused" : "not begun";
}

/** Since the first one. */
function offsetText(ms: number): string {
  const sign = ms < 0 ? "-" : "+";
  const size = Math.abs(ms);
  if (size < 1000) return `${sign}${size} ms`;
  if (size < 60_000) return `${sign}${(size / 1000).toFixed(3)} s`;
  const hours = Math.floor(size / 3_600_000);
  return `${sign}${hours}:${sixtieths(size / 60_000)}:${sixtieths(size / 1000)}`;
}

function sixtieths(value: number): string {
  return `${Math.floor(value) % 60}`.padStart(2, "0");
}
