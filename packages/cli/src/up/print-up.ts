import type { FirstKey, Platform } from "@spfunctions/server";
import { fiveAnswers } from "../call/five-answers.ts";
import { asWord } from "../io/as-word.ts";
import { type Printer, whole } from "../io/printer.ts";
import type { StorePlace } from "../seat/store-place.ts";
import type { FirstCall } from "./first-call.ts";

export type UpView = {
  readonly url: string;
  readonly place?: StorePlace;
  readonly keys: readonly FirstKey[];
  readonly starterKey: string;
  readonly call: FirstCall;
  /** The route of a read that is worth a look. */
  readonly worthALook?: string | undefined;
  /** A tool that is worth a call, and the folder that has `sf` where no shell finds it yet. */
  readonly tool?: string | undefined;
  /** What `sf manifest` is given to show a tool that is worth looking up. */
  readonly look?: string | undefined;
  readonly programs?: string | undefined;
  /** What a crash had left, and what became of it. */
  readonly settled?: Platform["settled"];
  /** What whoever started it should know besides. */
  readonly notes?: readonly string[];
  readonly isOnce: boolean;
  readonly isJson: boolean;
  /** Of the process that has it, where it is another. */
  readonly pid?: number;
};

/** What there is now, what was just shown to work, and what to do next. */
export function printUp(print: Printer, view: UpView): void {
  if (view.isJson) print.json(asData(view), 2);
  else printPage(print, view);
}

function asData({ url, place, keys, call, settled = [], notes = [], pid }: UpView): object {
  const shown = keys.map(({ role, scopes, path, secret, isNew }) => ({
    role,
    scopes,
    file: path,
    ...(isNew && { secret }),
  }));
  return {
    ok: call.error === undefined,
    url,
    ...(place !== undefined && { where: place.called }),
    ...(pid !== undefined && { pid }),
    keys: shown,
    ...(settled.length > 0 && { settled: settled.map(settledData) }),
    ...(notes.length > 0 && { notes }),
    call: { ...call, ...(call.error !== undefined && { error: call.error.toJSON() }) },
  };
}

function settledData({
  accountId,
  callId,
  effectId,
  tool,
  outcome,
  by,
}: Platform["settled"][number]): object {
  return { accountId, callId, effectId, tool, outcome, by };
}

function printPage(print: Printer, view: UpView): void {
  const { url, place, keys, pid } = view;
  const where = pid === undefined ? "" : ` (process ${pid}, which has this data folder)`;
  print.out({ text: "SimpleFunctions", style: "bold" }, " is up at ", { text: url, style: "bold" }, where);
  if (place !== undefined) print.out("  everything is kept in ", place.called);
  printKeys(print, keys);
  for (const note of view.notes ?? []) print.out({ text: "  note", style: "yellow" }, `: ${note}`);
  print.out("");
  printCall(print, view.call);
  print.out("");
  printNext(print, view);
}

function printKeys(print: Printer, keys: readonly FirstKey[]): void {
  for (const { role, scopes, path, secret, isNew } of keys) {
    print.out(`  ${role} key (${scopes.join(" ")}): ${path}`);
    // The only time that it is shown.
    if (isNew) print.out("    ", { text: secret, style: "bold" }, "  shown this once");
  }
}

function printCall(print: Printer, { tool, data, error, receipt }: FirstCall): void {
  const end = error === undefined ? `answered ${JSON.stringify(data)}` : `ended with ${error.code}`;
  print.out(`One governed call, ${tool}, ${end}${receipt === undefined ? "" : ":"}`);
  for (const [question, answer] of receipt === undefined ? [] : fiveAnswers(receipt))
    print.out("  ", { text: question.padEnd(14), style: "dim" }, "  ", answer);
}

function printNext(
  print: Printer,
  { url, starterKey, worthALook = "/api/runtime", tool, look, programs, isOnce, pid }: UpView,
): void {
  const bearer = `-H "Authorization: Bearer $(cat ${asWord(starterKey)})"`;
  const at = (path: string) => asWord(`${url}${path}`);
  print.out(
    isOnce
      ? "Next, once it is up to stay (without --once), from another terminal:"
      : "Next, from another terminal:",
  );
  if (programs !== undefined)
    print.out(whole(`  export PATH=${asWord(programs)}:"$PATH"     # there sf is a command from then on`));
  if (tool !== undefined)
    print.out(whole(`  sf agent --tool ${tool}     # judged and journaled on both sides`));
  if (look !== undefined) print.out(whole(`  sf manifest ${look}     # its route, and what it takes`));
  print.out(whole(`  curl ${at("/api/contracts/tools")}`));
  print.out(whole(`  curl ${bearer} ${at(worthALook)}`));
  print.out(
    whole(`  curl -X POST ${bearer} ${at("/api/runtime/stop")}     # refused, with the gate that stopped it`),
  );
  if (isOnce || pid !== undefined) return;
  print.out("");
  print.out("Ctrl-C stops it.");
}
