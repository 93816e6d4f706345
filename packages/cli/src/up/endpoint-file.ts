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
  /** Of one that keeps everything in a database, and only its endpoint in the folder: what that is called. */
  readonly store?: string;
  /** And what tells its process from a later one of the same number. */
  readonly mark?: string;
};

/** Apart: a folder may have a platform of its own beside the one that was started in it on a database. */
export type EndpointKind = "folder" | "database";

const names = { folder: "platform.json", database: "database-platform.json" } as const;
const fileOf = (folder: string, kind: EndpointKind) => join(folder, names[kind]);
const kindOf = ({ store }: Pick<Endpoint, "store">) => (store === undefined ? "folder" : "database");

export function writeEndpoint(folder: string, endpoint: Endpoint): void {
  const file = fileOf(folder, kindOf(endpoint));
  const draft = `${file}.${endpoint.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(endpoint)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (cause) {
    rmSync(draft, { force: true });
    const { code = "fault" } = cause as NodeJS.ErrnoException;
    throw new HostConfigurationNeededError(
      `${file} cannot be written (${code}); make sure that the data folder has room and that this is a file`,
      { details: { reason: "bad_endpoint_file" }, cause },
    );
  }
}

/** Nothing where no platform has said where it is. */
export function readEndpoint(folder: string, kind: EndpointKind = "folder"): Endpoint | undefined {
  try {
    const text = readFileSync(fileOf(folder, kind), "utf8");
    const { url, pid, starterKey, store, mark } = parseJsonStrict(text) as Record<string, unknown>;
    const isWhole = typeof url === "string" && typeof pid === "number" && typeof starterKey === "string";
    if (!isWhole || (kind === "database") !== (typeof store === "string")) return undefined;
    return {
      url,
      pid,
      starterKey,
      ...(typeof store === "string" && { store }),
      ...(typeof mark === "string" && { mark }),
    };
  } catch {
    return undefined;
  }
}

/** Takes away what this process has written, and nobody else's. */
export function removeEndpoint(folder: string, endpoint: Pick<Endpoint, "pid" | "store">): void {
  const kind = kindOf(endpoint);
  if (readEndpoint(folder, kind)?.pid === endpoint.pid) rmSync(fileOf(folder, kind), { force: true });
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
