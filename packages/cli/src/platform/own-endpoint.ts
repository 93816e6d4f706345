import { SimpleFunctions } from "@spfunctions/sdk";
import { platformFolderOf } from "@spfunctions/host/installation";
import type { CliIo } from "../io/cli-io.ts";
import { databaseEndpoint, drivingEndpoint, isNotAsked, type LivingEndpoint } from "../up/living-endpoint.ts";

/** S1: what is up in this folder, if that is its very address: the folder's keys go to no other. */
export function ownEndpoint(url: string, io: CliIo): LivingEndpoint | undefined {
  const folder = platformFolderOf(io);
  const asked = baseUrlOf(url);
  return [drivingEndpoint, databaseEndpoint]
    .map((find) => ifOwn(() => find(folder, io)))
    .find((one) => one?.url === asked);
}

/** Who names an address does not ask for what the folder says. */
function ifOwn(find: () => LivingEndpoint | undefined): LivingEndpoint | undefined {
  try {
    return find();
  } catch (error) {
    if (isNotAsked(error)) return undefined;
    throw error;
  }
}

/** An address as the client has it. */
export function baseUrlOf(url: string): string {
  return new SimpleFunctions({ baseUrl: url }).toJSON().baseUrl;
}
