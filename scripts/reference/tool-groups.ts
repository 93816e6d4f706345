import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ContractTool, isActive } from "@spfunctions/contracts";
import { fsTools, httpTools, shellTools } from "@spfunctions/host/tools";
import { platformManifest } from "../sdk/platform-manifest.ts";
import type { ToolGroup } from "./tools-page.ts";

/** Every active tool of this repository, by where it comes from. */
export async function toolGroups(): Promise<readonly ToolGroup[]> {
  const { tools } = await platformManifest();
  return [
    {
      title: "The platform's tools",
      says: "What `sf up` serves: the [markets](../markets.md), and the platform's own. The SDK has a method for each, and `sf agent` calls them under a policy of yours.",
      tools: tools.filter(isActive),
    },
    {
      title: "Sandboxed tools",
      says: "Made by `fsTools`, `shellTools` and `httpTools` of `@spfunctions/host/tools`, or with `--pack fs:<folder>`, `--pack shell:<folder>` and `--pack http`; [sandboxed-tools.md](../sandboxed-tools.md) has their law. The bounds are those without limits of your own.",
      tools: sandboxedTools(),
    },
  ];
}

/** Their contracts are the same below any root. */
function sandboxedTools(): ContractTool[] {
  const root = mkdtempSync(join(tmpdir(), "sf-reference-"));
  try {
    return [...fsTools({ root }), ...shellTools({ root }), ...httpTools()].map(({ contract }) => contract);
  } finally {
    rmSync(root, { recursive: true });
  }
}
