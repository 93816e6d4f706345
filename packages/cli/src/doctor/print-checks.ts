import type { Part, Printer } from "../io/printer.ts";
import type { Check } from "./check.ts";

const marks: { readonly [Status in Check["status"]]: Part } = {
  ok: { text: "✓", style: "green" },
  warn: { text: "!", style: "yellow" },
  fail: { text: "✗", style: "red" },
};

export function printCheck(print: Printer, { check, status, where, what, todo }: Check): void {
  const about: Part[] = where === undefined ? [] : [{ text: where, style: "dim" }, "  "];
  print.out(marks[status], ` ${check}: `, ...about, what);
  if (todo !== undefined) print.out("    ", { text: todo, style: "bold" });
}

export function printSummary(print: Printer, checks: readonly Check[]): void {
  const count = (status: Check["status"]) => checks.filter((check) => check.status === status).length;
  const [failed, warned] = [count("fail"), count("warn")];
  print.out("");
  if (failed > 0) print.out({ text: `${failed} failed`, style: ["bold", "red"] }, `, ${warned} to look at`);
  else if (warned > 0)
    print.out({ text: `${warned} to look at`, style: ["bold", "yellow"] }, ", nothing failed");
  else print.out({ text: "all is in order", style: ["bold", "green"] });
}
