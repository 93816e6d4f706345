import { canonicalJson } from "@spfunctions/contracts";
import type { Judge } from "../judge/judge.ts";
import type { ModelTool } from "../model/model-adapter.ts";
import { projectPackage } from "../package/project-package.ts";
import type { RunHost } from "./run-host.ts";

export type Offered = { readonly tools: readonly ModelTool[]; readonly bytes: number };

const known = new WeakMap<Judge, Offered>();

/** What a model is shown: of its package, what the judge would not refuse out of hand. The same all through a run. */
export function offeredTools({ package: runtimePackage }: Pick<RunHost, "package">, judge: Judge): Offered {
  const before = known.get(judge);
  if (before !== undefined) return before;
  const tools = projectPackage(runtimePackage)
    .filter(
      ({ canonicalToolName: tool }) => judge.judge({ tool, origin: "model" }).verdict.outcome !== "deny",
    )
    .map(({ canonicalToolName: name, description, input }) => Object.freeze({ name, description, input }));
  const offered = { tools: Object.freeze(tools), bytes: Buffer.byteLength(canonicalJson(tools)) };
  known.set(judge, offered);
  return offered;
}
