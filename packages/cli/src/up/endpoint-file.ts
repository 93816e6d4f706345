import {
  HostConfigurationNeededError,
  parseJsonStrict,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDriven } from "../seat/open-store.ts";

/** Where the platform of a data folder is reached, for other processes of the same person. */
export type Endpoint = {
  readonly url: string;
  readonly pid: number;
  /** The file of the key to begin with. */
  readonly starterKey: string;
};

const nameIn = (folder: string) => join(folder, "platform.json");

export function writeEndpoint(folder: string, endpoint: Endpoint): void {
  const draft = `${nameIn(folder)}.${endpoint.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(endpoint)}\n`, { mode: 0o600 });
    renameSync(draft, nameIn(folder));
  } catch (cause) {
    rmSync(draft, { force: true });
    const { code = "fault" } = cause as NodeJS.ErrnoException;
    throw new HostConfigurationNeededError(
      `${nameIn(folder)} cannot be written (${code}); make sure that the data folder has room and that this is a file`,
      { details: { reason: "bad_endpoint_file" }, cause },
    );
  }
}

/** Nothing where no platform has said where it is. */
export function readEndpoint(folder: string): Endpoint | undefined {
  try {
    const { url, pid, starterKey } = parseJsonStrict(readFileSync(nameIn(folder), "utf8")) as Record<
      string,
      unknown
    >;
    const isWhole = typeof url === "string" && typeof pid === "number" && typeof starterKey === "string";
    return isWhole ? { url, pid, starterKey } : undefined;
  } catch {
    return undefined;
  }
}

/** Takes away what this process has written, and nobody else's. */
export function removeEndpoint(folder: string, pid: number): void {
  if (readEndpoint(folder)?.pid === pid) rmSync(nameIn(folder), { force: true });
}

/** The platform of a data folder: opened here, or the one that another process has up. */
export async function openOrFind<Opened>(
  folder: string,
  open: () => Promise<Opened>,
): Promise<Opened | Endpoint> {
  try {
    return await open();
  } catch (error) {
    const beside = isDriven(error) ? readEndpoint(folder) : undefined;
    // The file of a process that was killed stays, and whoever drives the folder now may be no platform.
    if (beside === undefined || beside.pid !== (error as SimpleFunctionsError).details?.pid) throw error;
    return beside;
  }
}
