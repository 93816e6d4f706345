import { SimpleFunctions } from "@spfunctions/sdk";
import { platformFolderOf } from "@spfunctions/host/installation";
import type { CliIo } from "../io/cli-io.ts";
import type { Endpoint } from "../up/endpoint-file.ts";
import { databaseEndpoint, drivingEndpoint } from "../up/living-endpoint.ts";

/** S1: what is up in this folder, if that is its very address: the folder's keys go to no other. */
export function ownEndpoint(url: string, io: CliIo): Endpoint | undefined {
  const folder = platformFolderOf(io);
  const asked = baseUrlOf(url);
  return [drivingEndpoint(folder), databaseEndpoint(folder)].find(
    (one) => one?.isOfThisMachine === true && one.url === asked,
  );
}

/** An address as the client has it. */
export function baseUrlOf(url: string): string {
  return new SimpleFunctions({ baseUrl: url }).toJSON().baseUrl;
}
