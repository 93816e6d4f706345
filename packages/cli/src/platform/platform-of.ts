import type { AskedPlace } from "../approvals/say-what-is-asked.ts";
import { type EffectsPlace, optionsFor } from "../effects/what-to-do.ts";
import { asWord } from "../io/as-word.ts";
import type { CliIo } from "../io/cli-io.ts";
import { platformPlaceOf } from "../seat/store-place.ts";
import { ownEndpoint } from "./own-endpoint.ts";
import { soundAddressIn } from "./reach-remote.ts";

/** The platform where it was named, and whether `sf approvals` gets there with nothing more said. */
export function platformOf(
  { url, account }: { readonly url?: string; readonly account: string },
  io: CliIo,
): Pick<AskedPlace, "url" | "isOwn" | "there"> {
  const named = url ? soundAddressIn({ url }, io) : undefined;
  const address = named ?? usualAddress(io);
  if (address === undefined) return { there: optionsFor(herePlace(account, io)) };
  const isOwn = !io.env.SF_API_KEY && ownEndpoint(address, io) !== undefined;
  const there = ` --url ${asWord(address)}${isOwn ? "" : " --key-file …"}`;
  return { ...(named !== undefined && { url: named, isOwn }), there };
}

/** Of a command that does not ask there, nobody minds what it is. */
function usualAddress(io: CliIo): string | undefined {
  try {
    return soundAddressIn({}, io);
  } catch {
    return undefined;
  }
}

/** The platform of this folder, up or in the process that calls it. */
function herePlace(account: string, io: CliIo): EffectsPlace {
  const place = platformPlaceOf({}, io);
  const whose = { ...(account !== "local" && { account }) };
  return place.type === "folder" ? { data: place.folder, ...whose } : { store: place.word, ...whose };
}
