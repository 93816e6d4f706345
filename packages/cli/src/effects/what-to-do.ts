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
  /** Where it is a database that has to be named: how, without its password. */
  readonly store?: string;
  /** Where it is not the account it takes unless told. */
  readonly account?: string;
  /** Of `sf agent`: its tools are a platform's, and no pack has them. */
  readonly isAgents?: boolean;
  /** Of `sf up`: what its keys have called it settles itself. */
  readonly isPlatforms?: boolean;
};

export function placeOf(place: StorePlace, account: string, io: Pick<CliIo, "env" | "cwd">): EffectsPlace {
  const isUsual = isSamePlace(place, storePlaceOf({}, io));
  const whose = { ...(account !== "local" && { account }) };
  if (place.type === "database") return { ...(!isUsual && { store: place.word }), ...whose };
  const { folder } = place;
  const isAgents = isSameFolder(folder, agentFolderOf(io));
  return { ...(!isUsual && { data: folder }), ...whose, isAgents };
}

function isSamePlace(one: StorePlace, other: StorePlace): boolean {
  const schemas = [one, other].map((place) => (place.type === "database" ? place.schema : undefined));
  return one.called === other.called && schemas[0] === schemas[1];
}

/** What is added to a command of `sf effects` so that it finds them. */
export function optionsFor({ data, store, account }: EffectsPlace): string {
  const folder = data === undefined ? "" : ` --data ${asWord(data)}`;
  const where = store === undefined ? folder : ` --store ${store}`;
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
  if (place.isPlatforms === true)
    return [
      "start sf up again with its --pack (--markets for the example), under a policy that allows it, and it is settled",
      `or give it up: ${resolving(effectId, place)} --give-up`,
    ];
  return [
    `whoever called it settles it by opening this data folder with its pack and a policy that allows it: sf effects ls --pack … --policy …${optionsFor(place)}`,
  ];
}

function resolving(effectId: string, place: EffectsPlace): string {
  return `sf effects resolve ${effectId} --status … --note …${optionsFor(place)}`;
}
