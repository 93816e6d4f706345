// S1: whom a key is sent to on the word of a data folder. A folder can come from anywhere, as with an archive that somebody has
// unpacked, and all that it says is then another's, who drives it among that. So it is believed only what a platform of this
// installation has signed for this very folder, while that very process is there, at an address of this machine.
import {
  HostConfigurationNeededError,
  isSimpleFunctionsError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { belongsToAnother } from "@spfunctions/host/installation";
import { isSignedBy } from "@spfunctions/kernel";
import { dirname, join } from "node:path";
import type { CliIo } from "../io/cli-io.ts";
import { watchDriver } from "../seat/driver-of.ts";
import { installationIfAny } from "../seat/installation-if-any.ts";
import { type Endpoint, endpointText, findEndpoint, type FoundEndpoint } from "./endpoint-file.ts";
import { isOfThisMachine } from "./first-call.ts";
import { isThere } from "./process-mark.ts";

/** The platform that is up on a data folder, and a key may be sent to. Only this file makes one. */
export type LivingEndpoint = Endpoint & { readonly isOwn: true };

type Io = Pick<CliIo, "env">;

/** The platform that is up in a folder: on what it holds, or else on a database. Nothing is made or changed. */
export function livingEndpoint(folder: string, io: Io): LivingEndpoint | undefined {
  return drivingEndpoint(folder, io) ?? databaseEndpoint(folder, io);
}

/**
 * The platform that is up on a data folder: the process that it names is the one that drives the folder. What was left by one that
 * was killed leads nowhere, also where its number is another's by now.
 */
export function drivingEndpoint(folder: string, io: Io): LivingEndpoint | undefined {
  const found = findEndpoint(folder, "folder");
  if (found === undefined) return undefined;
  const { driver, close } = watchDriver(join(folder, "simplefunctions.db"));
  close();
  const { pid } = found.endpoint;
  if (driver?.isDriving !== true || driver.pid !== pid) return undefined;
  if (driver.isElsewhere)
    throw notAsked(found, `in process ${pid} of another container, which is not seen from here`);
  return own(found, io);
}

/** The one that was started last in a folder on a database, while it is up. `store`: on that one, whatever was started otherwise. */
export function databaseEndpoint(folder: string, io: Io, store?: string): LivingEndpoint | undefined {
  const found = findEndpoint(folder, "database");
  if (found === undefined || (store !== undefined && found.endpoint.store !== store)) return undefined;
  return own(found, io);
}

/** Nothing where its process has ended. */
function own(found: FoundEndpoint, io: Io): LivingEndpoint | undefined {
  const { endpoint, file, stats, sig } = found;
  if (!isThere(endpoint.pid, endpoint.mark)) return undefined;
  if (process.platform !== "win32" && (stats.mode & 0o022) !== 0)
    throw notAsked(found, "and can be written by others");
  if (belongsToAnother(stats)) throw notAsked(found, `and belongs to another user (${stats.uid})`);
  if (!isOfThisMachine(endpoint.url)) throw notAsked(found, "which is no address of this machine");
  const signer = installationIfAny(io)?.signer;
  const text = endpointText(dirname(file), endpoint);
  if (signer === undefined || !isSignedBy(text, { keyId: signer.keyId, sig }, signer.publicKey))
    throw notAsked(found, "and is not signed by this installation for this folder");
  return { ...endpoint, isOwn: true };
}

function notAsked({ file, endpoint }: FoundEndpoint, why: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(
    `${file} says that a platform is up at ${endpoint.url}, ${why}: no key is sent there on its word; give --url and its key (SF_API_KEY or --key-file) if that platform is yours, or name another data folder in SF_DATA`,
    { details: { reason: "others_endpoint", where: file } },
  );
}

/** Whether a folder says where its platform is, and is not believed. */
export function isNotAsked(error: unknown): error is SimpleFunctionsError {
  return isSimpleFunctionsError(error) && error.details?.reason === "others_endpoint";
}
