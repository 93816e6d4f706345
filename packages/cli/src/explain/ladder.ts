import type { Explanation, GateReport } from "@spfunctions/contracts";
import { asCommands } from "../io/as-commands.ts";
import type { Part, Printer } from "../io/printer.ts";

const marks: { readonly [Result in GateReport["result"]]: Part } = {
  passed: { text: "✓", style: "green" },
  stopped: { text: "✗", style: "red" },
  not_applicable: { text: "–", style: "dim" },
  not_checked: { text: "·", style: "dim" },
};

/**
 * The gates as rungs in the order in which they are asked, the one that decided marked, and what would have let it pass; `tools` is what
 * names the tools to a command.
 */
export function printLadder(print: Printer, tool: string, verdict: Explanation, tools: string): void {
  print.out({ text: tool, style: "bold" });
  for (const [index, report] of verdict.gates.entries()) print.out(...rung(report, index + 1, verdict));
  print.out({ text: "✓ passed  ✗ stopped  – not applicable  · not checked", style: "dim" });
  print.out("");
  for (const parts of decision(verdict, tools)) print.out(...parts);
}

function rung({ gate, result, detail }: GateReport, number: number, verdict: Explanation): Part[] {
  const name = `${number}`.padStart(2);
  if (gate !== verdict.gate) {
    const also = detail === undefined ? gate : `${gate.padEnd(15)}  ${detail}`;
    return [
      "   ",
      marks[result],
      ` ${name}  `,
      result === "passed" || result === "stopped" ? also : dim(also),
    ];
  }
  return [
    { text: "▶  ", style: ["bold", "red"] },
    marks[result],
    { text: ` ${name}  ${gate.padEnd(15)}  ${detail ?? verdict.reason}`, style: ["bold", "red"] },
  ];
}

function decision(
  { outcome, gate, code, reason, remedy, unchecked = [] }: Explanation,
  tools: string,
): Part[][] {
  const isOpen = outcome === "unchecked";
  if (gate === undefined) {
    const word: Part = isOpen
      ? { text: "unchecked", style: ["bold", "yellow"] }
      : { text: "allowed", style: ["bold", "green"] };
    return [
      [word, `: ${withoutWord(reason)}`],
      ...(unchecked.includes("input") ? [["to have them asked: give --input"]] : []),
    ];
  }
  const word = outcome === "deny" ? "refused" : "a person must approve";
  const first: Part = { text: isOpen ? "unchecked" : word, style: ["bold", "red"] };
  const lines: Part[][] = [
    [first, isOpen ? `: ${withoutWord(reason)}` : ` at gate ${gate} (${code}): ${reason}`],
  ];
  if (remedy !== undefined)
    lines.push([{ text: "what would allow it", style: "bold" }, `: ${asCommands(remedy, "", tools)}`]);
  return lines;
}

/** The word is printed by itself, in its color. */
function withoutWord(reason: string): string {
  return reason.replace(/^unchecked: /, "");
}

function dim(text: string): Part {
  return { text, style: "dim" };
}
