import type { ClientOptions } from "../options/client-options.ts";
import { SimpleFunctions } from "./simple-functions.ts";

/** What answers requests in this process. */
export type EmbeddedPlatform = { readonly fetch: (request: Request) => Response | Promise<Response> };

/** The same client for a platform in this process: the same requests and answers, and no socket. */
export function connectEmbedded(
  platform: EmbeddedPlatform,
  options: Omit<ClientOptions, "fetch"> = {},
): SimpleFunctions {
  return new SimpleFunctions({
    ...options,
    fetch: async (input, init) => platform.fetch(new Request(input, init)),
  });
}
