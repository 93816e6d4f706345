import {
  canonicalJson,
  HostConfigurationNeededError,
  InvalidInputError,
  strictObject,
} from "@spfunctions/contracts";
import { type Clock, installationAccount, readKept, type Store } from "@spfunctions/kernel";
import { z } from "zod";
import { defaultSeries } from "./simulation/open-simulation.ts";

/** What the simulated markets are made from. */
const worldSchema = strictObject({ seed: z.string(), series: z.int().min(1) });
type SimulatedWorld = z.infer<typeof worldSchema>;

const usual: SimulatedWorld = { seed: "simplefunctions", series: defaultSeries };
const key = { kind: "markets", accountId: installationAccount, id: "markets" } as const;

/**
 * The world of a store: what was asked for when it was first opened, for as long as it lasts. In another one the markets that
 * somebody has contracts of would not exist.
 */
export async function keptSeed(
  store: Store,
  clock: Clock,
  asked: { readonly [Fact in keyof SimulatedWorld]?: SimulatedWorld[Fact] | undefined },
): Promise<SimulatedWorld> {
  const { seed = usual.seed, series = usual.series } = asked;
  if (!worldSchema.safeParse({ seed, series }).success)
    throw new InvalidInputError("markets are made from a text and a whole number of series, 1 or more");
  const body = canonicalJson({ seed, series });
  const documents = [{ type: "keep", ...key, status: "kept", body }] as const;
  await store.commit({ durability: "power", now: clock.now(), documents });
  const kept = readKept(
    worldSchema,
    (await store.document(key))?.body ?? "",
    "what the markets are made from",
  );
  for (const fact of ["seed", "series"] as const) {
    if (asked[fact] === undefined || asked[fact] === kept[fact]) continue;
    throw new HostConfigurationNeededError(
      `the markets of this data folder are made with another ${fact}; leave it out to go on with them, or take another data folder`,
      { details: { reason: `other_${fact}` } },
    );
  }
  return kept;
}
