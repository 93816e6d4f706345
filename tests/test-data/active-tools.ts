import type { ContractTool } from "@spfunctions/contracts";
import { createMemoryStore } from "@spfunctions/kernel";
import { openMarkets } from "@spfunctions/markets";
import { openPlatform } from "@spfunctions/server";
import { installation } from "../../packages/server/test-data/test-platform.ts";

/** The contracts that a platform with the markets serves, its own among them. */
export async function activeTools(): Promise<readonly ContractTool[]> {
  const store = createMemoryStore();
  const { pack } = await openMarkets({ store, series: 1 });
  const platform = await openPlatform({ store, installation, packs: [pack] });
  await platform.close();
  return platform.manifest.tools;
}
