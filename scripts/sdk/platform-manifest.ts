import type { ContractManifest } from "@spfunctions/contracts";
import { createMemoryStore, newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { openPlatform } from "@spfunctions/server";

/** The contracts that a platform serves, as it serves them. */
export async function platformManifest(): Promise<ContractManifest> {
  const installation = openInstallation(newInstallationSecret());
  const platform = await openPlatform({ store: createMemoryStore(), installation });
  await platform.close();
  return platform.manifest;
}
