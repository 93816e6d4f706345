import { canonicalJson, HostConfigurationNeededError, parseJsonStrict } from "@spfunctions/contracts";
import { realPathOf } from "@spfunctions/host/installation";
import type { Signer } from "@spfunctions/kernel";
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

/** Where the platform of a data folder is reached, for other processes of the same person. */
export type Endpoint = {
  readonly url: string;
  readonly pid: number;
  /** The file of the key to begin with. */
  readonly starterKey: string;
  /** Of one that keeps everything in a database, and only its endpoint in the folder: what that is called. */
  readonly store?: string;
  /** What tells its process from a later one of the same number. */
  readonly mark?: string;
};

/** As it lies there. Who has written it is another question: see `living-endpoint.ts`. */
export type FoundEndpoint = {
  readonly endpoint: Endpoint;
  readonly file: string;
  readonly stats: Stats;
  /** The signature of whoever wrote it; empty where nobody has signed. */
  readonly sig: string;
};

/** Apart: a folder may have a platform of its own beside the one that was started in it on a database. */
export type EndpointKind = "folder" | "database";

const names = { folder: "platform.json", database: "database-platform.json" } as const;
const fileOf = (folder: string, kind: EndpointKind) => join(folder, names[kind]);
const kindOf = ({ store }: Pick<Endpoint, "store">) => (store === undefined ? "folder" : "database");

/** What a platform signs: for this very folder. */
export function endpointText(folder: string, endpoint: Endpoint): string {
  return `simplefunctions endpoint v1\n${canonicalJson({ folder: realPathOf(folder), endpoint })}`;
}

export function writeEndpoint(folder: string, endpoint: Endpoint, signer: Pick<Signer, "sign">): void {
  const file = fileOf(folder, kindOf(endpoint));
  const draft = `${file}.${endpoint.pid}`;
  try {
    const sig = signer.sign(endpointText(folder, endpoint));
    writeFileSync(draft, `${JSON.stringify({ ...endpoint, sig })}\n`, { mode: 0o600 });
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
  return findEndpoint(folder, kind)?.endpoint;
}

/** The same, with what tells whether it is believed. */
export function findEndpoint(folder: string, kind: EndpointKind): FoundEndpoint | undefined {
  const path = fileOf(folder, kind);
  let file: number | undefined;
  try {
    // Without waiting: a pipe in its place would otherwise keep us for ever.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    const text = readFileSync(file, "utf8");
    const { url, pid, starterKey, store, mark, sig } = parseJsonStrict(text) as Record<string, unknown>;
    const isWhole = typeof url === "string" && typeof pid === "number" && typeof starterKey === "string";
    if (!isWhole || (kind === "database") !== (typeof store === "string")) return undefined;
    const on = typeof store === "string" && { store };
    const endpoint = { url, pid, starterKey, ...on, ...(typeof mark === "string" && { mark }) };
    return { endpoint, file: path, stats, sig: typeof sig === "string" ? sig : "" };
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
