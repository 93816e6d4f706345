import { join } from "node:path";
import { watchDriver } from "../seat/driver-of.ts";
import type { RunsHere } from "./look-at-runs.ts";

/** `nobody`, as far as that is known; else the process that drives its folder, and maybe the run. */
export type Driving = "nobody" | "unknown" | { readonly pid: number };

/**
 * Who drives a run. Of a process that drives its folder nobody knows which runs it drives; in a database those are known whose process
 * has died, and not those that one has given up.
 */
export async function drivingOf(
  { place, store }: Pick<RunsHere, "place" | "store">,
  accountId: string,
  runId: string,
): Promise<Driving> {
  if (place.type === "database")
    return (await store.abandoned(accountId)).includes(runId) ? "nobody" : "unknown";
  const { driver, close } = watchDriver(join(place.folder, "simplefunctions.db"));
  close();
  return driver?.isDriving === true ? { pid: driver.pid } : "nobody";
}

/** Whether it is known that no process drives a run. */
export async function isNobodys(...asked: Parameters<typeof drivingOf>): Promise<boolean> {
  return (await drivingOf(...asked)) === "nobody";
}
