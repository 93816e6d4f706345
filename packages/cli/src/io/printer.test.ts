import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { terminalRows } from "../../test-data/terminal-rows.ts";
import { printValue } from "./print-value.ts";
import { createPrinter, type Printer, whole } from "./printer.ts";

/** What is written to a terminal that is this wide; to none where nothing says how wide. */
function written(columns: number | undefined, print: (printer: Printer) => void, env = {}): string {
  let text = "";
  const write = (more: string) => void (text += more);
  const isTerminal = { stdout: columns !== undefined, stderr: columns !== undefined };
  print(createPrinter({ stdout: write, stderr: write, isTerminal, columns, env } as never));
  return text;
}

const plain = { NO_COLOR: "1" };
const forged = "decided   by admin anna, 1 minute ago";
const padded = `x${" ".repeat(79)}${forged}`;
const letter = fc.constantFrom(
  "a",
  " ",
  "ж",
  "日",
  "👩",
  "\u0301",
  "क",
  "│",
  "\ufe0f",
  "\u200d",
  "…",
  "\n",
  "1",
);
const anyText = fc.string({
  unit: fc.oneof(letter, fc.string({ unit: "binary", maxLength: 1 })),
  maxLength: 300,
});
const anyColumns = fc.integer({ min: 20, max: 120 });
const mark = { text: "  │ ", style: "dim", isOnEveryRow: true } as const;

describe("a line on a terminal", () => {
  test("is broken before the terminal breaks it, and every further row is marked", () => {
    const rows = (print: (printer: Printer) => void) => written(80, print, plain).trimEnd().split("\n");
    const filled = (columns: number) => "x".padEnd(columns);
    expect(rows(({ out }) => out(filled(80), forged))).toStrictEqual([
      filled(80),
      `${" ".repeat(38)}↳ ${forged}`,
    ]);
    expect(rows(({ out }) => out(`  ${filled(78)}${forged}`))).toStrictEqual([
      `  ${filled(78)}`,
      `  ↳ ${forged}`,
    ]);
    const named = [{ text: "why     ", style: "dim" }, "  "] as const;
    expect(rows(({ out }) => out(...named, `${filled(70)}${forged}`))).toStrictEqual([
      `why       ${filled(70)}`,
      `          ↳ ${forged}`,
    ]);
    // Some terminals show a line that is drawn in two columns.
    expect(rows(({ err }) => err(mark, `${filled(75)}${forged}`))).toStrictEqual([
      `  │ ${filled(75)}`,
      `  │ ${forged}`,
    ]);
  });

  test("is never broken by the terminal, whatever is said on it", () => {
    fc.assert(
      fc.property(anyColumns, anyText, anyText, (columns, head, text) => {
        const lines: ((print: Printer) => void)[] = [
          ({ out }) => out(text),
          ({ out }) => out({ text: head, style: "bold" }, "  ", text),
          ({ err }) => err(mark, text),
          ({ ask }) => ask({ text, style: "bold" }),
          ({ piece, err }) => {
            piece(mark);
            for (const one of text) piece(one);
            err();
          },
          ({ piece, err }) => {
            piece(head);
            err({ text, style: "dim" });
          },
        ];
        for (const line of lines) {
          const shown = written(columns, line);
          const rows = terminalRows(shown, columns);
          expect(rows).toHaveLength(shown.split("\n").length);
          for (const row of rows.slice(1).filter((one) => one !== ""))
            expect(row).toMatch(/^(?: *↳ | {2}│ )/);
        }
      }),
    );
  });

  test("that comes letter by letter is broken where it would be at once", () => {
    fc.assert(
      fc.property(anyColumns, anyText, (columns, said) => {
        const text = said.replaceAll(/\u200d|\u200c/g, "").toWellFormed();
        const grown = (pieces: Iterable<string>) =>
          written(columns, ({ piece, err }) => {
            piece(mark);
            for (const one of pieces) piece(one);
            err();
          });
        expect(grown(text)).toBe(grown([text]));
        expect(grown(text)).toBe(written(columns, ({ err }) => err(mark, text)));
      }),
    );
  });

  test("has as much on it as there is room for, in scripts of narrow letters", () => {
    for (const text of [
      "a".repeat(80),
      "größer – «ja»…".padEnd(80, "ß"),
      "жшщ".padEnd(80, "ю"),
      "λόγος".normalize("NFD").padEnd(81, "ω"),
    ])
      expect(written(80, ({ out }) => out(text))).toBe(`${text}\n`);
    expect(written(80, ({ out }) => out("日".repeat(41)))).toBe(`${"日".repeat(40)}\n↳ 日\n`);
  });

  test("is broken between words, where a word has room on a row of its own", () => {
    const said = "appr_1 waits for an answer until the day after tomorrow";
    expect(written(40, ({ out }) => out(said))).toBe(
      "appr_1 waits for an answer until the day\n↳ after tomorrow\n",
    );
    expect(written(40, ({ out }) => out("why     ", "x".repeat(70)))).toBe(
      `why     ${"x".repeat(32)}\n        ↳ ${"x".repeat(29)}\n        ↳ ${"x".repeat(9)}\n`,
    );
  });

  test("begins after a question, which whoever answers has ended", () => {
    const text = written(80, ({ ask, err }) => {
      ask("approve, deny (and why), or later? ");
      err("x".repeat(80));
    });
    expect(text).toBe(`approve, deny (and why), or later? ${"x".repeat(80)}\n`);
  });

  test("is left whole where it is a command of ours, and everything is where there is no terminal", () => {
    const command = `  sf approvals approve appr_1 --data ${"x".repeat(80)}`;
    expect(written(80, ({ err }) => err(whole(command)))).toBe(`${command}\n`);
    expect(written(undefined, ({ out }) => out(padded))).toBe(`${padded}\n`);
    expect(written(0, ({ out }) => out(padded))).toBe(`${padded}\n`);
  });

  test("has a value in rows for whoever reads it, and whole for programs", () => {
    const text = `{\n  "padded": "${padded}"\n}\n`;
    const rows = terminalRows(
      written(80, (print) => printValue(print, { padded })),
      80,
    );
    expect(rows.find((row) => row.includes(forged))).toMatch(/^ {2}↳ /);
    expect(written(undefined, (print) => printValue(print, { padded }))).toBe(text);
    expect(written(80, ({ json }) => json({ padded }, 2))).toBe(text);
  });
});
