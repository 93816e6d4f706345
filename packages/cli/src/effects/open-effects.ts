import type { Scope } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { loadPacks } from "../packs/load-packs.ts";
import { callerOf } from "../seat/caller.ts";
import { openLive, type OpenGoverned } from "../seat/open-governed.ts";
import { openToRead, patienceOf } from "../seat/open-store.ts";
import { readPolicy } from "../seat/read-policy.ts";
import { storePlaceOf } from "../seat/store-place.ts";
import { journalPlacesOf } from "../trace/journal-places.ts";
import { type EffectsPlace, placeOf } from "./what-to-do.ts";

/** As they were given. */
export type EffectsOptions = {
  readonly pack?: readonly string[];
  readonly policy?: string;
  readonly scope?: readonly Scope[];
  readonly account: string;
  readonly data?: string;
  readonly store?: string;
  readonly wait: number;
  readonly json?: true;
};

/** Where the effects lie that these options mean. */
export function effectsPlaceOf(options: EffectsOptions, { io }: CommandContext): EffectsPlace {
  return placeOf(storePlaceOf(options, io), options.account, io);
}

/** Where something is to be settled, that one place; else wherever there is a journal here. None is made to look at it. */
export function wherever(options: EffectsOptions, { io }: CommandContext): EffectsOptions[] {
  if (options.pack !== undefined) return [options];
  return journalPlacesOf(options, io).map(({ place }) =>
    place.type === "folder" ? { ...options, data: place.folder } : options,
  );
}

/** Opens the journal, and settles what a crash has left there: without its pack an effect is left to whoever has it. */
export async function openEffects(options: EffectsOptions, context: CommandContext): Promise<OpenGoverned> {
  const { io } = context;
  const { pack = [], account, wait } = options;
  const policy = await readPolicy(options.policy, io);
  const packs = pack.length === 0 ? { tools: [] } : await loadPacks(pack, io);
  const law = { ...packs, policy, principal: callerOf(account, options.scope) };
  const place = storePlaceOf(options, io);
  // Whoever drives a store makes it: one that is named is there, or its name is wrong.
  if (options.data || options.store) await (await openToRead(place)).close();
  return await openLive(law, { place, io, patience: patienceOf(wait, context) });
}

export async function closeEffects({ governed, leave }: OpenGoverned): Promise<void> {
  try {
    await governed.close();
  } finally {
    await leave();
  }
}
