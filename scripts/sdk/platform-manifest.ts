import type { ContractManifest } from "@spfunctions/contracts";
import { createMemoryStore, newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { openMarkets } from "@spfunctions/markets";
import { openPlatform } from "@spfunctions/server";

/** The contracts that a platform serves, as it serves them. */
export async function platformManifest(): Promise<ContractManifest> {
  const installation = openInstallation(newInstallationSecret());
  const store = createMemoryStore();
  const platform = await openPlatform({ store, installation, packs: (await openMarkets({ store })).pack });
  await platform.close();
  return platform.manifest;
}
