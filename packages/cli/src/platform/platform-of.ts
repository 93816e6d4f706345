import type { AskedPlace } from "../approvals/say-what-is-asked.ts";
import type { CliIo } from "../io/cli-io.ts";
import { ownEndpoint } from "./own-endpoint.ts";
import { soundAddressIn } from "./reach-remote.ts";

/** The platform where it was named, and whether `sf approvals` gets there with nothing more said. */
export function platformOf({ url }: { readonly url?: string }, io: CliIo): Pick<AskedPlace, "url" | "isOwn"> {
  const named = url ? soundAddressIn({ url }, io) : undefined;
  if (named === undefined) return {};
  return { url: named, isOwn: !io.env.SF_API_KEY && ownEndpoint(named, io) !== undefined };
}
