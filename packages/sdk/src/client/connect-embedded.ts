import { HostConfigurationNeededError } from "@spfunctions/contracts";
import type { ClientOptions } from "../options/client-options.ts";
import { SimpleFunctions } from "./simple-functions.ts";

/** What answers requests in this process. */
export type EmbeddedPlatform = { readonly fetch: (request: Request) => Response | Promise<Response> };

/** The same client for a platform in this process: the same requests and answers, and no socket. */
export function connectEmbedded(
  platform: EmbeddedPlatform,
  options: Omit<ClientOptions, "fetch"> = {},
): SimpleFunctions {
  if (typeof platform?.fetch !== "function")
    throw new HostConfigurationNeededError(
      "this is no platform; await it where it is opened: connectEmbedded(await openPlatform({ store, installation }))",
      { details: { reason: "no_platform" } },
    );
  return new SimpleFunctions({
    ...options,
    fetch: async (input, init) => platform.fetch(new Request(input, init)),
  });
}
