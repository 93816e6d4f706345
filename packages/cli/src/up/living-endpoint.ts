import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { join } from "node:path";
import { watchDriver } from "../seat/driver-of.ts";
import { believedEndpoint, type Endpoint } from "./endpoint-file.ts";
import { isOfThisMachine } from "./first-call.ts";
import { isThere } from "./process-mark.ts";

/** The platform that is up on a data folder. A folder can come from anywhere, and what it says about itself with it. */
export type LivingEndpoint = Endpoint & { readonly isOfThisMachine: boolean };

/** The platform that is up in a folder: on what it holds, or else on a database. Nothing is made or changed. */
export function livingEndpoint(folder: string): LivingEndpoint | undefined {
  return drivingEndpoint(folder) ?? databaseEndpoint(folder);
}

/**
 * The platform that is up on a data folder: the process that it names is the one that drives the folder. What was left by one that
 * was killed leads nowhere, also where its number is another's by now.
 */
export function drivingEndpoint(folder: string): LivingEndpoint | undefined {
  const endpoint = believedEndpoint(folder);
  if (endpoint === undefined) return undefined;
  const { driver, close } = watchDriver(join(folder, "simplefunctions.db"));
  close();
  if (driver?.isDriving !== true || driver.pid !== endpoint.pid) return undefined;
  return { ...endpoint, isOfThisMachine: isOfThisMachine(endpoint.url) };
}

/** The one that was started last in a folder on a database, while it is up. `store`: on that one, whatever was started otherwise. */
export function databaseEndpoint(folder: string, store?: string): LivingEndpoint | undefined {
  const endpoint = believedEndpoint(folder, "database");
  if (endpoint === undefined || !isThere(endpoint.pid, endpoint.mark)) return undefined;
  if (store !== undefined && endpoint.store !== store) return undefined;
  return { ...endpoint, isOfThisMachine: isOfThisMachine(endpoint.url) };
}

/** S1: what a data folder says about itself is not enough to ask anybody elsewhere, or to send a key there. */
export function elsewhere(url: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(
    `the data folder names a platform on another machine, ${url}, and no key is sent there on its word; give --url if it is yours`,
    { details: { reason: "other_machine" } },
  );
}
