import { join } from "node:path";
import { watchDriver } from "../seat/driver-of.ts";
import type { RunsHere } from "./look-at-runs.ts";

/**
 * Whether it is known that no process drives a run. Beside one that drives its folder nobody knows; in a database those are known whose
 * process has died, and not those that one has given up.
 */
export async function isNobodys(
  { place, store }: Pick<RunsHere, "place" | "store">,
  accountId: string,
  runId: string,
): Promise<boolean> {
  if (place.type === "database") return (await store.abandoned(accountId)).includes(runId);
  const { driver, close } = watchDriver(join(place.folder, "simplefunctions.db"));
  close();
  return driver?.isDriving !== true;
}
