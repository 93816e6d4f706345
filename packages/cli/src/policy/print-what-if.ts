import type { WhatIf, WhatIfDifference } from "@spfunctions/agent";
import { type Column, printTable } from "../io/print-table.ts";
import type { Printer } from "../io/printer.ts";
import type { TraceText } from "../trace/read-trace-file.ts";
import type { unexpected } from "./expected-differences.ts";

const mostShown = 100;

/** The calls that would be otherwise, and how many there are of each kind. */
export function printWhatIf(
  print: Printer,
  { counts, calls }: WhatIf,
  { differences, missing }: ReturnType<typeof unexpected>,
  traces: readonly TraceText[],
): void {
  if (differences.length > 0) {
    printTable(print, differences.slice(0, mostShown), columnsFor(traces));
    if (differences.length > mostShown)
      print.out(`… and ${differences.length - mostShown} more; --json has them all`);
  }
  for (const callId of missing) print.out(`${callId} was expected to differ, and does not so`);
  const asExpected = counts.different - differences.length;
  const also = asExpected === 0 ? "" : `, ${asExpected} as expected`;
  print.out(
    `of ${counts.calls} recorded calls ${counts.was.allow} were allowed and ${counts.now.allow} would be; ${counts.different} differ${also}`,
  );
  for (const { callId, tool, uncertain } of calls.filter((one) => one.uncertain !== undefined).slice(0, 10))
    print.err({ text: "not certain", style: "yellow" }, `: ${tool} (${callId}): ${uncertain?.because}`);
  if (counts.uncertain > 10) print.err(`… and ${counts.uncertain - 10} more that are not certain`);
}

function columnsFor(traces: readonly TraceText[]): readonly Column<WhatIfDifference>[] {
  return [
    ...(traces.length > 1
      ? [["trace", ({ trace }: WhatIfDifference) => traces[trace - 1]?.file ?? "?"] as const]
      : []),
    ["call", ({ callId }) => callId],
    ["tool", ({ tool }) => tool],
    ["was", ({ was }) => `${word(was)}, ${was.status.replaceAll("_", " ")}`],
    ["would be", ({ now }) => word(now)],
    ["why", ({ now }) => (now.outcome === "allow" ? "" : now.reason)],
  ];
}

function word({ outcome, gate }: WhatIfDifference["now"] | WhatIfDifference["was"]): string {
  return gate === undefined ? outcome : `${outcome} at ${gate}`;
}
