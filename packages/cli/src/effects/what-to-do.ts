import type { UnknownEffect } from "@spfunctions/contracts";
import type { Settled } from "@spfunctions/kernel";
import { asWord } from "../io/as-word.ts";
import type { CliIo } from "../io/cli-io.ts";
import { agentFolderOf, dataFolderOf, isSameFolder } from "../seat/data-folder.ts";

/** Where effects are journaled, as far as a command has to be told. */
export type EffectsPlace = {
  /** Where it is not the folder that `sf effects` looks in unless told. */
  readonly data?: string;
  /** Where it is not the account it takes unless told. */
  readonly account?: string;
  /** Of `sf agent`: its tools are a platform's, and no pack has them. */
  readonly isAgents?: boolean;
};

export function placeOf(folder: string, account: string, io: Pick<CliIo, "env" | "cwd">): EffectsPlace {
  return {
    ...(folder !== dataFolderOf(undefined, io) && { data: folder }),
    ...(account !== "local" && { account }),
    isAgents: isSameFolder(folder, agentFolderOf(io)),
  };
}

/** What is added to a command of `sf effects` so that it finds them. */
export function optionsFor({ data, account }: EffectsPlace): string {
  const folder = data === undefined ? "" : ` --data ${asWord(data)}`;
  return account === undefined ? folder : `${folder} --account ${asWord(account)}`;
}

/** Of an effect of which nobody knows what became. */
export function howToResolve({ effectId, idempotencyKey }: UnknownEffect, place: EffectsPlace): string {
  return `find out at the other side (key ${idempotencyKey}) whether it happened, then: ${resolving(effectId, place)}`;
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
