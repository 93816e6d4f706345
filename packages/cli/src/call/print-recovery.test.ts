// What a crash has left is told as what became of it, and by whom only where that is known.
import { RecoveryNeededError } from "@spfunctions/contracts";
import type { Settled } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { createPrinter, type Printer } from "../io/printer.ts";
import { humanView, printRecovery } from "./human-view.ts";

const place = { data: "/srv/data" };

function printed(say: (print: Printer) => void): string[] {
  let err = "";
  const print = createPrinter({
    stdin: (async function* none() {})(),
    stdout: () => undefined,
    stderr: (text) => void (err += text),
    isTerminal: { stdout: false, stderr: false },
    env: {},
    cwd: "/",
    signal: new AbortController().signal,
  });
  say(print);
  return err.split("\n").slice(0, -1);
}

function told(...settled: Settled[]): string[] {
  return printed((print) => printRecovery(print, { settled, unknown: [] }, place)).slice(1);
}

const call = { callId: "call_1", tool: "notes.add", by: "approval" } as const;

test("a call that was refused says why, and claims no answer that nobody gave", () => {
  const reason = "notes.add: nobody had answered by then";
  expect(told({ ...call, outcome: "refused", reason })).toStrictEqual([
    "  notes.add (call_1): refused",
    `    ${reason}`,
  ]);
  expect(told({ ...call, outcome: "refused" })).toStrictEqual(["  notes.add (call_1): refused"]);
});

test("a call that went on by an answer says so", () => {
  expect(told({ ...call, outcome: "completed" })).toStrictEqual([
    "  notes.add (call_1): completed; an operator had answered",
  ]);
});

test("what is to be done about one names the place", () => {
  const reason = 'say so with resolve("eff_1", …)';
  expect(told({ ...call, by: "nobody", outcome: "unknown", reason })).toStrictEqual([
    "  notes.add (call_1): unknown; nobody can tell",
    "    say so with sf effects resolve eff_1 --status … --note … --data /srv/data",
  ]);
});

test("a call whose end nobody saw says how to decide it, in its place", () => {
  const error = new RecoveryNeededError('notes.add: nobody knows; say so with resolve("eff_1", …)');
  const ended = printed((print) =>
    humanView({ print, env: {}, place, tools: "" }).ended({
      outcome: { type: "failed", error } as never,
    }),
  );
  expect(ended).toStrictEqual([
    "error recovery_needed: notes.add: nobody knows; say so with sf effects resolve eff_1 --status … --note … --data /srv/data",
  ]);
});
