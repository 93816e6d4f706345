// The platform that a command talks to: the one at an address, the one that is up on the data folder, or else one in this process.
import { heldSecrets } from "@spfunctions/contracts";
import { connectEmbedded, type OutputOf } from "@spfunctions/sdk";
import { platformFolderOf } from "@spfunctions/host/installation";
import type { CommandContext } from "../command-line/command-context.ts";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CliIo } from "../io/cli-io.ts";
import { printLog } from "../io/print-log.ts";
import type { Printer } from "../io/printer.ts";
import { sayWhenLong } from "../io/say-when-long.ts";
import { LateStore } from "../packs/late-store.ts";
import { loadPacks } from "../packs/load-packs.ts";
import { inTurn, patienceOf } from "../seat/open-store.ts";
import { platformPlaceOf, type StorePlace } from "../seat/store-place.ts";
import { databaseEndpoint, type LivingEndpoint, livingEndpoint } from "../up/living-endpoint.ts";
import { type HeldPlatform, openHeldPlatform, pathOf } from "../up/open-local-platform.ts";
import { openOrFind } from "../up/open-or-find.ts";
import { servesExample } from "../up/serves-example.ts";
import {
  type GivenKey,
  type KeyRole,
  ownKey,
  reachAddress,
  type Reached,
  reachEndpoint,
  soundAddressIn,
  userAgent,
} from "./reach-remote.ts";

export type ReachOptions = GivenKey & {
  readonly url?: string;
  readonly pack?: readonly string[];
  readonly account: string;
  readonly wait: number;
};

export async function reachPlatform(
  options: ReachOptions,
  role: KeyRole,
  context: CommandContext,
): Promise<Reached> {
  const { io } = context;
  const url = soundAddressIn(options, io);
  if (url !== undefined) {
    requireNoPacks(options, url);
    return reachAddress(url, role, options, context);
  }
  const place = platformPlaceOf({}, io);
  const found = await sayWhenLong(context, `opening the platform in ${place.called}`, () =>
    findOrOpen(place, options, context),
  );
  if ("pid" in found) return reachEndpoint(found, role, options, io);
  sayFirstKeys(found, context.print);
  return embedded(found, place.called, role, options, io);
}

async function findOrOpen(
  place: StorePlace,
  options: ReachOptions,
  context: CommandContext,
): Promise<HeldPlatform | LivingEndpoint> {
  const { io, print } = context;
  const folder = platformFolderOf(io);
  const beside =
    place.type === "folder" ? livingEndpoint(folder, io) : databaseEndpoint(folder, io, place.called);
  // Before their modules are loaded, which can do anything.
  requireNoPacks(options, beside?.url);
  if (beside?.store !== undefined) return beside;
  const late = new LateStore();
  const terms = {
    place,
    ...(options.pack === undefined ? { tools: [] } : await loadPacks(options.pack, io, late)),
    late,
    markets: servesExample(options) ? {} : undefined,
    policy: undefined,
    account: options.account,
    hasKey: options.keyFile !== undefined,
    env: io.env,
    log: printLog(print),
  };
  if (place.type === "database") return await openHeldPlatform(terms);
  const found = await inTurn(
    () => openOrFind(folder, io, () => openHeldPlatform(terms)),
    patienceOf(options.wait, context),
  );
  if ("pid" in found) requireNoPacks(options, found.url);
  return found;
}

/** A platform has the tools it was started with: whoever names others would wonder where they are. */
export function requireNoPacks({ pack }: Pick<ReachOptions, "pack">, url: string | undefined): void {
  if (pack !== undefined && url !== undefined)
    throw badUsage(
      `the platform at ${url} has its own tools, and --pack adds none to it; leave --pack out, or stop that platform (or unset SF_API_URL) to have one with these`,
    );
}

/** S1: that there are keys now, and where; what they are is in their files alone. */
function sayFirstKeys({ keys }: HeldPlatform, { err }: Pick<Printer, "err">): void {
  const made = keys.filter(({ isNew }) => isNew).map(({ path }) => path);
  if (made.length > 0)
    err({ text: `first keys of this platform were made: ${made.join(", ")}`, style: "dim" });
}

function embedded(
  { platform, keys, close }: HeldPlatform,
  where: string,
  role: KeyRole,
  options: ReachOptions,
  io: CliIo,
): Reached {
  for (const { secret } of keys) heldSecrets.add(secret, "api_key");
  const apiKey = ownKey(pathOf(keys, role), role, options, io);
  return {
    client: connectEmbedded(platform, { apiKey, userAgent }),
    where,
    isEmbedded: true,
    ...(options.keyFile === undefined && {
      createKey: async (key) => (await platform.createKey(options.account, key)) as OutputOf<"keys.create">,
    }),
    close,
  };
}
