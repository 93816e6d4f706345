// Subagents as tools of a run: what is behind them is bound where the runs are that start children.
import { HostConfigurationNeededError, InvalidPackageError } from "@spfunctions/contracts";
import type { ToolContext } from "../call/executors.ts";
import type { GivenSidecar } from "../package/build-runtime-package.ts";
import { capabilityIdOf } from "../package/derive-routes.ts";
import { describedTool } from "../tool/described-tool.ts";
import { registerPacks, type ToolRegistry } from "../tool/registry.ts";
import { controlTools } from "./control-tools.ts";
import type { SubagentCalls } from "./subagent-calls.ts";
import { type ChildTask, planDigest, type SubagentPlan, subagentPlan } from "./subagent.ts";

export type Subagents = ReadonlyMap<string, SubagentPlan>;

export const subagentSidecarKind = "subagent_plan";

export function subagentsIn({ tools }: ToolRegistry): Subagents {
  return new Map(
    [...tools].flatMap(([name, tool]) => {
      const plan = subagentPlan(tool);
      return plan === undefined ? [] : [[name, plan] as const];
    }),
  );
}

/** What no child could ever start with is refused before there is a run. */
export function requireStartable(
  { tools }: ToolRegistry,
  subagents: Subagents,
  routes: Readonly<Record<string, { readonly adapter: { readonly name: string } }>>,
): void {
  for (const { name, tools: kept, route } of subagents.values()) {
    const missing =
      kept.type === "custom_allowlist"
        ? kept.capabilityIds.find((id) => !tools.has(id.slice("tool.".length)))
        : undefined;
    if (missing !== undefined)
      throw new InvalidPackageError(
        `the subagent ${name} is to keep ${missing.slice("tool.".length)}, and there is no such tool here`,
        { details: { tool: name, reason: "unknown_capability" } },
      );
    if (route.type !== "use_allowed_override") continue;
    const { routeId, modelId } = route;
    const there = Object.hasOwn(routes, routeId) ? routes[routeId]?.adapter.name : undefined;
    if (there !== modelId)
      throw new HostConfigurationNeededError(
        `the subagent ${name} is driven by ${modelId} on the route ${routeId}, which has ${there ?? "no model"} here; give routes: { "${routeId}": … }`,
        { details: { tool: name, reason: "no_route" } },
      );
  }
}

/** The same tools, with what is behind the subagents, and those that a model directs them with. */
export function withSubagents(
  registry: ToolRegistry,
  subagents: Subagents,
  calls: SubagentCalls,
): ToolRegistry {
  if (subagents.size === 0) return registry;
  const bound = [...registry.tools].map(([name, tool]) => {
    const plan = subagents.get(name);
    if (plan === undefined) return tool;
    const run = (task: unknown, context: ToolContext) => calls.start(plan, task as ChildTask | null, context);
    return describedTool(tool.contract, { run, seesItThrough: true });
  });
  return registerPacks([bound, controlTools([...subagents.values()], calls)]);
}

/** A run goes on only where its subagents are what they were. */
export function subagentSidecars(subagents: Subagents): GivenSidecar[] {
  return [...subagents].map(([name, plan]) => ({
    ref: `sidecar.${name}`,
    kind: subagentSidecarKind,
    digest: planDigest(plan),
    capabilityIds: [capabilityIdOf({ name })],
  }));
}
