import type { Clock } from "@spfunctions/kernel";
import { currentWorld } from "../world/current-world.ts";
import type { World } from "../world/open-world.ts";
import type { WorldState } from "../world/world-state.ts";
import { eachTick } from "./each-tick.ts";

export type WorldEvent = { readonly type: "world" } & WorldState;

/** The state of the world with every tick. It ends with its signal. */
export async function* watchWorld(
  { world, clock }: { readonly world: World; readonly clock: Clock },
  { signal }: { readonly signal?: AbortSignal },
): AsyncGenerator<WorldEvent, void, void> {
  for await (const state of eachTick(clock, signal, () => currentWorld(world)))
    yield { type: "world", ...state };
}
