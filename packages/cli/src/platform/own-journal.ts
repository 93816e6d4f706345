import { platformFolderOf } from "@spfunctions/host/installation";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CliIo } from "../io/cli-io.ts";
import { isSameFolder } from "../seat/data-folder.ts";
import { agentPlaceOf, type GivenPlace, type StorePlace } from "../seat/store-place.ts";

/** Where this side of what a platform does is kept. Apart from what `sf call` and `sf up` write: one process at a time drives a folder. */
export function ownJournalOf({ data, store }: GivenPlace, io: CliIo): StorePlace {
  const place = agentPlaceOf({ data, store }, io);
  if (data && place.type === "folder" && isSameFolder(place.folder, platformFolderOf(io)))
    throw badUsage(
      `${data} is the platform's data folder, which that platform drives; name another folder for this side's journal`,
    );
  return place;
}
