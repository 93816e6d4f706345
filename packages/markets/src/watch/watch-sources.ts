import type { Clock } from "@spfunctions/kernel";
import type { World } from "../world/open-world.ts";
import { type TickEvent, type TickWatch, watchTicks } from "./watch-ticks.ts";
import { type WorldEvent, watchWorld } from "./watch-world.ts";

/** What goes on in the markets, for as long as somebody looks. */
export type WatchSources = {
  readonly ticks: (watch?: TickWatch) => AsyncGenerator<TickEvent, void, void>;
  readonly world: (watch?: { readonly signal?: AbortSignal }) => AsyncGenerator<WorldEvent, void, void>;
};

export function watchSources(world: World, clock: Clock): WatchSources {
  return {
    ticks: (watch = {}) => watchTicks({ readers: world.readers, clock }, watch),
    world: (watch = {}) => watchWorld({ world, clock }, watch),
  };
}
