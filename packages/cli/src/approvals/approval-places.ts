import { platformFolderOf } from "@spfunctions/host/installation";
import type { CommandContext } from "../command-line/command-context.ts";
import { optionsFor, placeOf } from "../effects/what-to-do.ts";
import { asWord } from "../io/as-word.ts";
import { givenKey, reachAddress, reachEndpoint, soundAddressIn } from "../platform/reach-remote.ts";
import { storePlaceOf } from "../seat/store-place.ts";
import { type JournalPlace, journalPlacesOf } from "../trace/journal-places.ts";
import { databaseEndpoint, drivingEndpoint } from "../up/living-endpoint.ts";
import type { ApprovalDesk } from "./approval-desk.ts";
import type { ApprovalsOptions } from "./approvals-options.ts";
import { openStoreDesk } from "./open-store-desk.ts";
import { orAtTheMachine } from "./or-at-the-machine.ts";
import { platformDesk } from "./platform-desk.ts";

/** Somewhere to look for approvals. */
export type ApprovalPlace = {
  readonly where: string;
  /** Whether whoever runs this has named it. */
  readonly isNamed: boolean;
  readonly open: () => Promise<ApprovalDesk>;
};

/** The one place that is named; else wherever calls are judged that are made here. */
export function approvalPlaces(options: ApprovalsOptions, context: CommandContext): ApprovalPlace[] {
  const { data, store } = options;
  // A key that was named and is none is nobody's to overlook, also where none is needed.
  if (options.keyFile !== undefined) givenKey(options, context.io);
  const url = options.url ? soundAddressIn(options, context.io) : undefined;
  if (url !== undefined) return [platformAt(url, true, options, context)];
  const journals = journalPlacesOf(options, context.io).map((one) => journalAt(one, options, context));
  // A platform that is asked with a key records that key, and not who sits here.
  if (data || store || options.as !== undefined) return journals;
  const usual = soundAddressIn({}, context.io);
  const here = platformHere(options, context);
  return [
    ...(usual === undefined ? [] : [platformAt(usual, false, options, context)]),
    ...(here === undefined ? [] : [here]),
    ...journals,
  ];
}

/** The one place that is named; else where `sf call` keeps its own. Nothing that is looked for says which is meant. */
export function placeToGrantIn(options: ApprovalsOptions, context: CommandContext): ApprovalPlace {
  const [first] = options.url || options.data || options.store ? approvalPlaces(options, context) : [];
  if (first !== undefined) return first;
  if (options.keyFile !== undefined) givenKey(options, context.io);
  return journalAt({ place: storePlaceOf({}, context.io), isNamed: false }, options, context);
}

function platformAt(
  where: string,
  isNamed: boolean,
  options: ApprovalsOptions,
  context: CommandContext,
): ApprovalPlace {
  const { keyFile } = options;
  const key = keyFile === undefined ? "" : ` --key-file ${asWord(keyFile)}`;
  const added = isNamed ? ` --url ${asWord(where)}${key}` : "";
  const open = async () => platformDesk(reachAddress(where, "operator", options, context), added, context);
  return { where, isNamed, open };
}

/** The platform that is up here on a database which nobody has named. */
function platformHere(options: ApprovalsOptions, context: CommandContext): ApprovalPlace | undefined {
  const { io } = context;
  const endpoint = io.env.SF_STORE ? undefined : databaseEndpoint(platformFolderOf(io), io);
  if (endpoint === undefined) return undefined;
  const open = async () => platformDesk(reachEndpoint(endpoint, "operator", options, io), "", context);
  return { where: endpoint.url, isNamed: false, open };
}

/** A platform answers for its folder itself. */
function journalAt(
  { place, isNamed }: JournalPlace,
  options: ApprovalsOptions,
  context: CommandContext,
): ApprovalPlace {
  const { io } = context;
  const open = async () => {
    const { account, ...where } = placeOf(place, options.account, io);
    const added = isNamed ? where : {};
    const isByKey = place.type === "folder" && options.as === undefined;
    const platform = isByKey ? drivingEndpoint(place.folder, io) : undefined;
    const whose = { ...added, ...(account !== undefined && { account }) };
    const openHere = () => openStoreDesk(place, optionsFor(whose), options, context);
    if (platform === undefined) return await openHere();
    const byKey = platformDesk(reachEndpoint(platform, "operator", options, io), optionsFor(added), context);
    // Whoever names a key means that one.
    return options.keyFile === undefined ? orAtTheMachine(byKey, openHere) : byKey;
  };
  return { where: place.called, isNamed, open };
}
