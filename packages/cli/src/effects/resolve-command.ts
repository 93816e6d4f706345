import { isSimpleFunctionsError, RecoveryNeededError } from "@spfunctions/contracts";
import { printRecovery } from "../call/human-view.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { inCommands } from "../io/in-commands.ts";
import type { OpenGoverned } from "../seat/open-governed.ts";
import { closeEffects, type EffectsOptions, effectsPlaceOf, openEffects } from "./open-effects.ts";
import { type EffectsPlace, howToSettle, optionsFor } from "./what-to-do.ts";

/** As they were given. */
export type EffectsResolveOptions = EffectsOptions & {
  readonly status: "completed" | "failed";
  readonly note: string;
  readonly giveUp?: true;
};

export async function resolveEffect(
  effectId: string,
  options: EffectsResolveOptions,
  context: CommandContext,
): Promise<void> {
  await resolve(effectId, options, context);
  if (options.json === true) context.print.json({ ok: true, effectId, status: options.status }, 2);
  else context.print.out(`${effectId} is ${options.status} from now on, by your word`);
}

async function resolve(
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
  } catch (error) {
    throw isSimpleFunctionsError(error) ? inCommands(error, optionsFor(place)) : error;
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
