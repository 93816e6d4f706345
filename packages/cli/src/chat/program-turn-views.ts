// A turn for programs: one object at its end, or everything as it happens, a line each.
import type { SpectatorEvent, TurnResult, Wish } from "@spfunctions/agent/spectator";
import { errorFor, type OutputFrame } from "@spfunctions/contracts";
import { failedFrame, printError } from "../io/report-error.ts";
import { isOver } from "../runs/run-states.ts";
import { condensedJson } from "./condensed-text.ts";
import { toldTurn, type ToldTurnTerms } from "./told-turn.ts";
import type { TurnView, TurnViewTerms } from "./turn-view.ts";

export function jsonTurnView(terms: TurnViewTerms, about: ToldTurnTerms): TurnView {
  const wishes: Wish[] = [];
  return {
    event: (event) => {
      if (event.type === "wish") wishes.push(event.wish);
    },
    pause: () => undefined,
    cancelling: () => undefined,
    ended: (result) => {
      terms.print.json(toldTurn(result, wishes, about), 2);
      sayTrouble(result, terms);
    },
  };
}

export function ndjsonTurnView(terms: TurnViewTerms, about: ToldTurnTerms): TurnView {
  const { print } = terms;
  const wishes: Wish[] = [];
  return {
    event: (event) => {
      if (event.type === "wish") wishes.push(event.wish);
      print.json(toldEvent(event));
    },
    pause: () => undefined,
    cancelling: () => undefined,
    ended: (result) => {
      print.json({ type: "turn.ended", ...toldTurn(result, wishes, about) });
      print.json(finalFrame(result));
      sayTrouble(result, terms);
    },
  };
}

function toldEvent(event: SpectatorEvent): object {
  if (event.type === "runtime") return event.event;
  return event.type === "condensed" ? { type: event.type, condensed: condensedJson(event.condensed) } : event;
}

function finalFrame({ status, text, error, runId }: TurnResult): OutputFrame {
  if (status === "completed") return { type: "agent.final", ok: true, output: text };
  if (error !== undefined) return failedFrame(errorFor(error.code, error.message));
  if (!isOver({ status }))
    return failedFrame(errorFor("approval_required", `${runId} waits for a person, and is left as it is`));
  return failedFrame(errorFor(status === "cancelled" ? "cancelled" : "internal", `the turn is ${status}`));
}

function sayTrouble({ error }: TurnResult, { print, io, options }: TurnViewTerms): void {
  if (error !== undefined) printError(print, errorFor(error.code, error.message), io.env, options);
}
