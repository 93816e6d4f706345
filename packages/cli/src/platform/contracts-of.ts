// The contracts of a platform, which anybody may read: no key is needed, and nothing is made on the disk.
import { CancelledError, type ContractManifest } from "@spfunctions/contracts";
import {
  createMemoryStore,
  newInstallationSecret,
  openInstallation,
  unlessAborted,
} from "@spfunctions/kernel";
import { openMarkets } from "@spfunctions/markets";
import { connectEmbedded, SimpleFunctions } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";
import { platformFolderOf } from "@spfunctions/host/installation";
import type { CommandContext } from "../command-line/command-context.ts";
import type { CliIo } from "../io/cli-io.ts";
import { sayWhenLong } from "../io/say-when-long.ts";
import { loadPacks } from "../packs/load-packs.ts";
import { livingEndpoint } from "../up/living-endpoint.ts";
import { servesExample } from "../up/serves-example.ts";
import { type ReachOptions, requireNoPacks } from "./reach-platform.ts";
import { soundAddressIn } from "./reach-remote.ts";

/** `review`: also what is not active. */
export type ManifestMode = "implemented" | "review";

/** The manifest of the platform at an address, of the one that is up here, or of the one that `sf up` would start. */
export async function contractsOf(
  options: ContractsOptions,
  mode: ManifestMode,
  { io, print }: CommandContext,
): Promise<ContractManifest> {
  const url = soundAddressIn(options, io) ?? livingEndpoint(platformFolderOf(io), io)?.url;
  requireNoPacks(options, url);
  return await sayWhenLong(
    { print, io },
    `loading the contracts of ${url ?? "the platform that sf up would start"}`,
    () =>
      unlessAborted(
        url === undefined ? contractsHere(options, mode, io) : contractsAt(url, mode, io),
        io.signal,
        () => new CancelledError("cancelled while the contracts were asked for; nothing was called"),
      ),
  );
}

type ContractsOptions = Pick<ReachOptions, "url" | "pack">;

async function contractsAt(url: string, mode: ManifestMode, io: CliIo): Promise<ContractManifest> {
  return await listOf(new SimpleFunctions({ baseUrl: url, userAgent: "sf" }), mode, io);
}

/** What `sf up` would serve. */
async function contractsHere(
  options: ContractsOptions,
  mode: ManifestMode,
  io: CliIo,
): Promise<ContractManifest> {
  const store = createMemoryStore();
  const { pack } = servesExample(options) ? await openMarkets({ store }) : { pack: [] };
  const { tools } = options.pack === undefined ? { tools: [] } : await loadPacks(options.pack, io);
  const installation = openInstallation(newInstallationSecret());
  const platform = await openPlatform({ store, installation, packs: [...pack, ...tools] });
  try {
    return await listOf(connectEmbedded(platform), mode, io);
  } finally {
    await platform.close();
  }
}

async function listOf(
  client: SimpleFunctions,
  mode: ManifestMode,
  { signal }: CliIo,
): Promise<ContractManifest> {
  return await client.manifest.list(mode === "review" ? { mode } : {}, { signal });
}
