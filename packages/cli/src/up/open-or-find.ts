import type { CliIo } from "../io/cli-io.ts";
import { isDriven } from "../seat/open-store.ts";
import { drivingEndpoint, type LivingEndpoint } from "./living-endpoint.ts";

/** The platform of a data folder: opened here, or the one that another process has up. */
export async function openOrFind<Opened>(
  folder: string,
  io: Pick<CliIo, "env">,
  open: () => Promise<Opened>,
): Promise<Opened | LivingEndpoint> {
  try {
    return await open();
  } catch (error) {
    // The file of a process that was killed stays, and whoever drives the folder now may be no platform.
    const beside = isDriven(error) ? drivingEndpoint(folder, io) : undefined;
    if (beside === undefined) throw error;
    return beside;
  }
}
