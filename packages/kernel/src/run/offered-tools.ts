import type { Judge } from "../judge/judge.ts";
import type { ModelTool } from "../model/model-adapter.ts";
import { projectPackage } from "../package/project-package.ts";
import type { RunHost } from "./run-host.ts";

/** What a model is shown: of its package, what the judge would not refuse out of hand. */
export function offeredTools({ package: runtimePackage }: RunHost, judge: Judge): ModelTool[] {
  return projectPackage(runtimePackage)
    .filter(
      ({ canonicalToolName: tool }) => judge.judge({ tool, origin: "model" }).verdict.outcome !== "deny",
    )
    .map(({ canonicalToolName: name, description, input }) => ({ name, description, input }));
}
