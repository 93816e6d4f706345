import type { Receipt, ToolCallResult } from "@spfunctions/contracts";
import { sayHowToApprove } from "../approvals/say-what-is-asked.ts";
import { type EffectsPlace, howToResolve, howToSettle, optionsFor } from "../effects/what-to-do.ts";
import { sayHowToGrant } from "../grants/say-what-is-lacking.ts";
import { asCommands } from "../io/as-commands.ts";
import { printValue } from "../io/print-value.ts";
import type { Printer } from "../io/printer.ts";
import { printError } from "../io/report-error.ts";
import type { CallView, EndedCall, Recovery, ViewTerms } from "./call-view.ts";
import { fiveAnswers, type WhoseReceipt } from "./five-answers.ts";

/** The answer alone on the standard output, so that it can be piped; what is said about it goes beside. */
export function humanView({ print, env, place, tools }: ViewTerms): CallView {
  return {
    begun: () => undefined,
    opened: (_, recovery) => printRecovery(print, recovery, place),
    event: (event) => {
      if (event.type === "tool.progress")
        print.err({ text: `${event.tool}: ${event.message}`, style: "dim" });
    },
    ended: ({ outcome, signer, trouble }) => {
      if (outcome.type === "completed") printAnswer(print, outcome.result);
      else printError(print, outcome.error, env, optionsFor(place), tools);
      const receipt = outcome.type === "completed" ? outcome.result.receipt : outcome.receipt;
      if (outcome.type !== "completed") {
        sayHowToApprove(print, outcome.error, receipt, place);
        sayHowToGrant(print, outcome.error, receipt, place);
      }
      if (receipt !== undefined) printReceipt(print, receipt, signer, place);
      if (trouble !== undefined) printError(print, trouble, env);
    },
    left: (trouble) => printError(print, trouble, env),
  };
}

function printAnswer(print: Printer, result: ToolCallResult): void {
  printValue(print, result.output);
  const { redacted, replayed, matchedBy, recordedToolDigest } = result;
  if (redacted.length > 0) note(print, `the record hides ${redacted.join(", ")}; here it was shown once`);
  if (replayed === true)
    note(print, `${matchedBy === undefined ? "an earlier call's answer" : "replayed"}; nothing ran`);
  if (matchedBy === "redacted") note(print, "matched with every hidden value cut out");
  if (recordedToolDigest !== undefined) note(print, "recorded with another contract of this tool");
}

function note(print: Printer, text: string): void {
  print.err({ text: "note", style: "yellow" }, `: ${text}`);
}

function printReceipt(
  print: Printer,
  receipt: Receipt,
  signer: EndedCall["signer"],
  place: WhoseReceipt,
): void {
  for (const [question, answer] of fiveAnswers(receipt, place)) {
    print.err({ text: question.padEnd(14), style: "dim" }, "  ", answer);
  }
  if (receipt.signature !== undefined && signer?.keyId === receipt.signature.keyId)
    print.err(" ".repeat(16), `public key ${signer.publicKey}`);
}

const ways = {
  retry: "it was tried again under the same key",
  reconcile: "the tool was asked",
  nobody: "nobody can tell",
  policy: "the host's policy decided",
  approval: "an operator had answered",
} as const;

/** X1: never silently unknown. */
export function printRecovery(
  print: Printer,
  { settled, unknown }: Recovery,
  place: EffectsPlace = {},
): void {
  if (settled.length > 0) {
    print.err({ text: "recovery", style: "yellow" }, `: a crash had left ${settled.length} without an end`);
  }
  for (const one of settled) {
    const { tool, callId, outcome, by, reason } = one;
    const isLeft = outcome === "left";
    // Many things refuse a call that has waited: its reason alone says which did.
    const became = outcome === "refused" ? outcome : `${outcome}; ${ways[by]}`;
    print.err(`  ${tool} (${callId}): ${isLeft ? "left as it was" : became}`);
    if (reason !== undefined) print.err(`    ${asCommands(reason, optionsFor(place))}`);
    if (isLeft) for (const line of howToSettle(one, place)) print.err(`    ${line}`);
  }
  const ofNow = new Set(settled.map(({ effectId }) => effectId));
  const earlier = unknown.filter(({ effectId }) => !ofNow.has(effectId));
  for (const effect of earlier) {
    const { tool, effectId, reason } = effect;
    print.err({ text: "unknown", style: "yellow" }, `: ${tool} (${effectId}): ${reason}`);
    print.err(`  ${howToResolve(effect, place)}`);
  }
}
