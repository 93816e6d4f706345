import type { JsonValue } from "@spfunctions/contracts";
import type { CallDifference, CallInTrace, FieldDifference, TraceDiff } from "@spfunctions/kernel";
import type { Part, Printer } from "../io/printer.ts";
import { fitLine } from "./fit-line.ts";

/** Most differences that are shown; a person reads no more. */
const mostShown = 100;

type Shown = {
  /** What the two are called. */
  readonly a: string;
  readonly b: string;
  readonly isSame: boolean;
  readonly columns: number;
};

/** Which calls are other ones, what about them, and in the end whether the traces are equal. */
export function printTraceDiff(print: Printer, diff: TraceDiff, shown: Shown): void {
  const { differences, law, calls } = diff;
  for (const difference of differences.slice(0, mostShown)) printDifference(print, difference, shown);
  if (differences.length > mostShown)
    print.out(`… and ${differences.length - mostShown} more; --json has them all`);
  for (const line of lawLines(law)) print.out({ text: "note", style: "yellow" }, `: ${line}`);
  if (shown.isSame) {
    print.out(
      { text: "equal", style: ["bold", "green"] },
      `: ${shown.a} and ${shown.b}: ${count(calls.a, "call")}, with the same outcomes`,
    );
    return;
  }
  const why = differences.length > 0 ? count(differences.length, "difference") : "made under another law";
  print.out(
    { text: "different", style: ["bold", "red"] },
    `: ${shown.a} (${count(calls.a, "call")}) and ${shown.b} (${calls.b}): ${why}`,
  );
}

function printDifference(print: Printer, difference: CallDifference, { a, b, columns }: Shown): void {
  switch (difference.type) {
    case "only_a":
      print.out(...titleOf(difference.a), `only in ${a}`);
      return;
    case "only_b":
      print.out(...titleOf(difference.b), `only in ${b}`);
      return;
    default: {
      const { type, a: one, b: other, fields, moreFields } = difference;
      const where = type === "moved" ? `is call ${other.place} in ${b}` : "is another";
      print.out(...titleOf(one), where);
      for (const field of fields) print.out("  ", ...fieldParts(field, columns - 2));
      if (moreFields !== undefined) print.out(`  … and ${moreFields} more places`);
    }
  }
}

function titleOf({ place, tool }: CallInTrace): Part[] {
  return [`call ${place}  `, { text: fitLine(tool, 80), style: "bold" }, "  "];
}

function fieldParts({ path, a, b, erased = [] }: FieldDifference, columns: number): Part[] {
  const name = fitLine(path, Math.floor(columns / 2));
  const room = Math.max(12, Math.floor((columns - name.length - 5) / 2));
  const value = (side: "a" | "b", given: JsonValue | undefined) =>
    erased.includes(side)
      ? "(erased)"
      : given === undefined
        ? "(none)"
        : fitLine(JSON.stringify(given), room);
  return [
    { text: name, style: "dim" },
    "  ",
    { text: value("a", a), style: "red" },
    " → ",
    { text: value("b", b), style: "green" },
  ];
}

/** What the calls that belong together were made under. */
function lawLines(law: TraceDiff["law"]): string[] {
  const having = (start: string) =>
    law.filter(({ fields }) => fields.some(({ path }) => path.startsWith(start))).length;
  const lines: readonly (readonly [number, string])[] = [
    [having("/toolDigest"), "under another contract of its tool"],
    [having("/policyDigest"), "under another policy"],
    [having("/verdict"), "with another verdict"],
  ];
  return lines.flatMap(([many, how]) => (many === 0 ? [] : [`${count(many, "call")} made ${how}`]));
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? "" : "s"}`;
}
