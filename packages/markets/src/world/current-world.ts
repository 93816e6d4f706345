import type { World } from "./open-world.ts";
import type { WorldState } from "./world-state.ts";

/** The state of the world now. */
export async function currentWorld(world: World): Promise<WorldState> {
  return await world.stateOf(await world.rows.known());
}
