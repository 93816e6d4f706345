import type { UnknownEffect } from "@spfunctions/contracts";
import type { Settled } from "@spfunctions/kernel";
import { asWord } from "../io/as-word.ts";
import type { CliIo } from "../io/cli-io.ts";
import { howToDecide } from "../runs/what-it-needs.ts";
import { agentFolderOf, isSameFolder } from "../seat/data-folder.ts";
import { type StorePlace, storePlaceOf } from "../seat/store-place.ts";

/** Where effects are journaled, as far as a command has to be told. */
export type EffectsPlace = {
  /** Where it is not the folder that `sf effects` looks in unless told. */
  readonly data?: string;
  /** Whether it is a database that has to be named; not which, as its password would be shown with it. */
  readonly isStore?: boolean;
  /** Where it is not the account it takes unless told. */
  readonly account?: string;
  /** Of `sf agent`: its tools are a platform's, and no pack has them. */
  readonly isAgents?: boolean;
};

export function placeOf(place: StorePlace, account: string, io: Pick<CliIo, "env" | "cwd">): EffectsPlace {
  const isUsual = place.called === storePlaceOf({}, io).called;
  const whose = { ...(account !== "local" && { account }) };
  if (place.type === "database") return { ...(!isUsual && { isStore: true }), ...whose };
  const { folder } = place;
  const isAgents = isSameFolder(folder, agentFolderOf(io));
  return { ...(!isUsual && { data: folder }), ...whose, isAgents };
}

/** What is added to a command of `sf effects` so that it finds them. */
export function optionsFor({ data, isStore, account }: EffectsPlace): string {
  const folder = data === undefined ? "" : ` --data ${asWord(data)}`;
  const where = isStore === true ? " --store …" : folder;
  return account === undefined ? where : `${where} --account ${asWord(account)}`;
}

/** Of an effect of which nobody knows what became. */
export function howToResolve(effect: UnknownEffect, place: EffectsPlace): string {
  const { effectId, idempotencyKey, stream } = effect;
  // A run goes on by what is decided about its effects.
  const isOfRun = stream.startsWith("run_");
  const then = isOfRun ? howToDecide(stream, effectId, optionsFor(place)) : resolving(effectId, place);
  return `find out at the other side (key ${idempotencyKey}) whether it happened, then: ${then}`;
}

/** Of one that was left: a held output waits for its host alone, and its reason says so. */
export function howToSettle({ effectId }: Settled, place: EffectsPlace): string[] {
  if (effectId === undefined) return [];
  if (place.isAgents === true)
    return [
      "run sf agent again with the same key, under a policy that allows it, and it is settled",
      `or give it up: ${resolving(effectId, place)} --give-up`,
    ];
  return [
    `whoever called it settles it by opening this data folder with its pack and a policy that allows it: sf effects ls --pack … --policy …${optionsFor(place)}`,
  ];
}

function resolving(effectId: string, place: EffectsPlace): string {
  return `sf effects resolve ${effectId} --status … --note …${optionsFor(place)}`;
}
