import {
  HostConfigurationNeededError,
  parseJsonStrict,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { belongsToAnother } from "@spfunctions/host/installation";
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
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

/** Nothing where no platform has said where it is. Who has written it is another question: see `believedEndpoint`. */
export function readEndpoint(folder: string, kind: EndpointKind = "folder"): Endpoint | undefined {
  return read(folder, kind)?.endpoint;
}

/** S1: a key is sent where it says. What somebody else has written, or could have, is not believed. */
export function believedEndpoint(folder: string, kind: EndpointKind = "folder"): Endpoint | undefined {
  const { endpoint, stats } = read(folder, kind) ?? {};
  if (stats === undefined) return endpoint;
  const isOpen = process.platform !== "win32" && (stats.mode & 0o022) !== 0;
  if (!isOpen && !belongsToAnother(stats)) return endpoint;
  const file = fileOf(folder, kind);
  const what = isOpen ? "can be written by others" : `belongs to another user (${stats.uid})`;
  throw new HostConfigurationNeededError(
    `${file} says where a platform is and ${what}: no key is sent there on its word; give --url if that platform is yours, or name another data folder in SF_DATA`,
    { details: { reason: "others_endpoint", where: file } },
  );
}

function read(folder: string, kind: EndpointKind): { endpoint: Endpoint; stats: Stats } | undefined {
  let file: number | undefined;
  try {
    // Without waiting: a pipe in its place would otherwise keep us for ever.
    file = openSync(fileOf(folder, kind), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    const text = readFileSync(file, "utf8");
    const { url, pid, starterKey, store, mark } = parseJsonStrict(text) as Record<string, unknown>;
    const isWhole = typeof url === "string" && typeof pid === "number" && typeof starterKey === "string";
    if (!isWhole || (kind === "database") !== (typeof store === "string")) return undefined;
    const on = typeof store === "string" && { store };
    return { endpoint: { url, pid, starterKey, ...on, ...(typeof mark === "string" && { mark }) }, stats };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
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
    const beside = isDriven(error) ? believedEndpoint(folder) : undefined;
    // The file of a process that was killed stays, and whoever drives the folder now may be no platform.
    if (beside === undefined || beside.pid !== (error as SimpleFunctionsError).details?.pid) throw error;
    return beside;
  }
}
