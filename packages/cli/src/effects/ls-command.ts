import type { UnknownEffect } from "@spfunctions/contracts";
import { type Settled, unknownEffects } from "@spfunctions/kernel";
import { printRecovery } from "../call/human-view.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { Printer } from "../io/printer.ts";
import { isDriven, isReadOnly, openToRead } from "../seat/open-store.ts";
import { storePlaceOf } from "../seat/store-place.ts";
import { accountsIn, withJournals } from "../trace/open-journals.ts";
import { sayWhoseNone } from "../trace/whose-none.ts";
import { type LeftInRun, leftInRuns } from "./left-in-runs.ts";
import { closeEffects, type EffectsOptions, effectsPlaceOf, openEffects, wherever } from "./open-effects.ts";
import { type EffectsPlace, howToResolve, howToSettle } from "./what-to-do.ts";

export async function listEffects(options: EffectsOptions, context: CommandContext): Promise<void> {
  const { print } = context;
  const places: Looked[] = [];
  for (const there of wherever(options, context)) {
    // oxlint-disable-next-line no-await-in-loop -- a handful
    const found = await look(there, context);
    places.push({ found, place: effectsPlaceOf(there, context) });
  }
  const all = places.map(({ found }) => found);
  const complete = all.every((found) => found.complete);
  const unknown = all.flatMap((found) => found.unknown);
  const left = all.flatMap(({ left: own = [], inRuns = [] }) => [...own, ...inRuns]);
  const settled = all.flatMap((found) => found.settled ?? []);
  // Beside a driver nobody sees what is left; of the places that nobody drives it is told all the same.
  const seen = complete || all.some((found) => found.left !== undefined) ? { left, settled } : {};
  if (options.json === true) return print.json({ ok: true, complete, unknown, ...seen }, 2);
  for (const { found, place } of places) printFound(print, found, place);
  if (unknown.length + left.length > 0) return;
  print.out(complete ? "none: every effect of this account has an end" : "none is listed");
  const accounts = await withJournals(options, context, (journals) =>
    Promise.all(journals.map(({ store }) => accountsIn(store))),
  );
  sayWhoseNone(print, options.account, accounts.flat());
}

type Looked = { readonly found: Found; readonly place: EffectsPlace };

type Found = {
  /** Whether what dead processes have left was looked at. */
  readonly complete: boolean;
  readonly unknown: readonly UnknownEffect[];
  readonly left?: readonly Settled[];
  /** The same in runs that have not ended. */
  readonly inRuns?: readonly LeftInRun[];
  /** What was left before, and has an end now. */
  readonly settled?: readonly Settled[];
};

async function look(options: EffectsOptions, context: CommandContext): Promise<Found> {
  try {
    const found = await lookAsDriver(options, context);
    return { ...found, inRuns: await leftInRuns(options, context) };
  } catch (error) {
    if (isDriven(error)) return await lookAsGuest(options, context, "another process drives");
    if (isReadOnly(error)) return await lookAsGuest(options, context, "nothing can be written to");
    throw error;
  }
}

async function lookAsDriver(options: EffectsOptions, context: CommandContext): Promise<Found> {
  const open = await openEffects(options, context);
  try {
    const { settled: all } = open.report;
    const left = all.filter(({ outcome }) => outcome === "left");
    const settled = all.filter(({ outcome }) => outcome !== "left" && outcome !== "unknown");
    printRecovery(context.print, { settled, unknown: [] }, effectsPlaceOf(options, context));
    return { complete: true, unknown: await open.governed.unknown(), left, settled };
  } finally {
    await closeEffects(open);
  }
}

async function lookAsGuest(
  options: EffectsOptions,
  { io, print }: CommandContext,
  why: string,
): Promise<Found> {
  const place = storePlaceOf(options, io);
  const store = await openToRead(place);
  try {
    print.err(
      { text: "note", style: "yellow" },
      `: ${why} ${place.called}; what dead processes have left without an end there is not included`,
    );
    return { complete: false, unknown: await unknownEffects(store, options.account) };
  } finally {
    await store.close();
  }
}

function printFound(print: Printer, { unknown, left = [], inRuns = [] }: Found, place: EffectsPlace): void {
  const entry = (id: string, tool: string, state: string, lines: readonly string[]) => {
    print.out({ text: id, style: "bold" }, `  ${tool}  ${state}`);
    for (const line of lines) print.out(`  ${line}`);
  };
  for (const effect of unknown)
    entry(effect.effectId, effect.tool, "unknown", [effect.reason, howToResolve(effect, place)]);
  for (const one of left)
    entry(one.effectId ?? one.callId, one.tool, "left as it was", [
      one.reason ?? "",
      ...howToSettle(one, place),
    ]);
  for (const one of inRuns) entry(one.effectId ?? one.callId, one.tool, "left as it was", [one.reason]);
}
