import {
  isSimpleFunctionsError,
  NotFoundError,
  RecoveryNeededError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { unknownEffects } from "@spfunctions/kernel";
import { printRecovery } from "../call/human-view.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { inCommands } from "../io/in-commands.ts";
import { hereOrBeside } from "../seat/here-or-beside.ts";
import { notTaken } from "../seat/not-taken.ts";
import type { OpenGoverned } from "../seat/open-governed.ts";
import { isDriven, openToRead } from "../seat/open-store.ts";
import { storePlaceOf } from "../seat/store-place.ts";
import { closeEffects, type EffectsOptions, effectsPlaceOf, openEffects, wherever } from "./open-effects.ts";
import { type Found, mayBeLeft, mayBeThere, resolveBeside } from "./resolve-beside.ts";
import { type EffectsPlace, howToSettle, optionsFor } from "./what-to-do.ts";

/** As they were given. */
export type EffectsResolveOptions = EffectsOptions & Found & { readonly giveUp?: true };

export async function resolveEffect(
  effectId: string,
  options: EffectsResolveOptions,
  context: CommandContext,
): Promise<void> {
  await resolveWhereItIs(effectId, options, context);
  if (options.json === true) context.print.json({ ok: true, effectId, status: options.status }, 2);
  else context.print.out(`${effectId} is ${options.status} from now on, by your word`);
}

/** Where it is listed; else wherever it may have been left. */
async function resolveWhereItIs(
  effectId: string,
  options: EffectsResolveOptions,
  context: CommandContext,
): Promise<void> {
  const places = wherever(options, context).map((there) => ({ ...options, ...there }));
  const listed = await placeThatLists(effectId, places, context);
  let unseen: unknown;
  for (const there of listed === undefined ? places : [listed]) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the first that has it
      return await resolveAt(effectId, { ...there, isListed: listed !== undefined }, context);
    } catch (error) {
      if (mayBeThere(error)) unseen ??= error;
      else if (!isNotThere(error)) throw error;
    }
  }
  if (unseen !== undefined) throw unseen;
  throw new NotFoundError(
    `there is no unknown effect ${effectId} in account ${options.account} where it was looked; sf effects ls${optionsFor(effectsPlaceOf(options, context))} lists those there are`,
    { details: { effectId } },
  );
}

function isNotThere(error: unknown): boolean {
  return isSimpleFunctionsError(error) && error.code === "not_found";
}

async function placeThatLists(
  effectId: string,
  places: readonly EffectsResolveOptions[],
  { io }: CommandContext,
): Promise<EffectsResolveOptions | undefined> {
  /* oxlint-disable no-await-in-loop -- one after the other: the first that has it is enough */
  for (const there of places) {
    // What cannot be read is told by whoever opens it.
    const store = await openToRead(storePlaceOf(there, io)).catch(() => undefined);
    try {
      const unknown = store === undefined ? [] : await unknownEffects(store, there.account);
      if (unknown.some((effect) => effect.effectId === effectId)) return there;
    } finally {
      await store?.close();
    }
  }
  /* oxlint-enable no-await-in-loop */
  return undefined;
}

async function resolveAt(
  effectId: string,
  { isListed, ...options }: EffectsResolveOptions & { readonly isListed: boolean },
  context: CommandContext,
): Promise<void> {
  const place = storePlaceOf(options, context.io);
  try {
    await hereOrBeside(
      () => resolveHere(effectId, { ...options, wait: 0 }, context),
      () => (isListed ? resolveBeside : resolveInTurn)(effectId, options, context),
      (_, driven) => notTaken(place, options.wait, driven),
    );
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    throw inCommands(error, optionsFor(effectsPlaceOf(options, context)));
  }
}

/** Of what is not listed nobody beside the driver knows anything: its end is waited for. */
async function resolveInTurn(
  effectId: string,
  options: EffectsResolveOptions,
  context: CommandContext,
): Promise<void> {
  try {
    await resolveHere(effectId, options, context);
  } catch (error) {
    if (!isDriven(error)) throw error;
    throw mayBeLeft(effectId, storePlaceOf(options, context.io).called, error as SimpleFunctionsError);
  }
}

async function resolveHere(
  effectId: string,
  options: EffectsResolveOptions,
  context: CommandContext,
): Promise<void> {
  const open = await openEffects(options, context);
  const place = effectsPlaceOf(options, context);
  try {
    if (options.giveUp !== true) requireNotLeft(effectId, open, place);
    printRecovery(context.print, { settled: open.report.settled, unknown: [] }, place);
    const { status, note, giveUp: givesUp } = options;
    await open.governed.resolve(effectId, { status, note, givesUp });
  } finally {
    await closeEffects(open);
  }
}

/** X1: where its tool can still settle it, nobody has to give their word. */
function requireNotLeft(effectId: string, { report }: OpenGoverned, place: EffectsPlace): void {
  const left = report.settled.find((one) => one.outcome === "left" && one.effectId === effectId);
  if (left === undefined) return;
  const { tool, reason } = left;
  throw new RecoveryNeededError(
    `${effectId} (${tool}) was left as it was: ${reason}; ${howToSettle(left, place)[0]}; or give it up with --give-up`,
    { details: { reason: "left", effectId, tool } },
  );
}
