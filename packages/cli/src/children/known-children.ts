import type { RunHandle } from "@spfunctions/kernel";
import { lastCursor } from "./last-cursor.ts";
import { allBelow, type RunTree } from "./run-tree.ts";
import type { KnownChild } from "./told-children.ts";

/** The children that a run has had until now, of which nothing is to be told again. */
export async function knownChildren(
  tree: RunTree,
  get: (runId: string) => Promise<RunHandle>,
): Promise<KnownChild[]> {
  return await Promise.all(
    allBelow(tree).map(async ({ runId, subagent, depth, status, result }) => {
      const cursor = result === undefined ? undefined : await lastCursor(await get(runId));
      return { runId, subagent, depth, cursor, isResting: status === "resting" };
    }),
  );
}
