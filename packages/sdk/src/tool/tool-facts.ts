import {
  type ContractTool,
  type CostEffect,
  requiresIdentity,
  type SideEffect,
  ToolNotCallableError,
  type ToolRoute,
  toolRouteOf,
} from "@spfunctions/contracts";
import { isList, soleParamOf } from "./tool-shape.ts";

/** What must be known of a tool to call it. */
export type ToolFacts = {
  readonly route: ToolRoute;
  readonly needsKey: boolean;
  readonly sideEffect: SideEffect;
  readonly costEffect: CostEffect;
  /** Its answer is a page, and `after` leads to the next one. */
  readonly lists: boolean;
  /** The one member that its input needs, where that stands in the path: it may be given alone, as text. */
  readonly soleParam?: string;
};

/** A row of the generated table: a tool, and the `resource.method` that calls it. */
export type ToolEntry = ToolFacts & { readonly method: string };

/** Read from a contract, or nothing for a tool that has no route: it is local to its process. */
export function factsOf(tool: ContractTool): ToolFacts | undefined {
  const route = toolRouteOf(tool);
  if (route === undefined) return undefined;
  const soleParam = soleParamOf(tool.input, route.params);
  return {
    route,
    needsKey: requiresIdentity(tool),
    sideEffect: tool.sideEffect,
    costEffect: tool.costEffect,
    lists: isList(tool.input, tool.output),
    ...(soleParam === undefined ? {} : { soleParam }),
  };
}

export function withoutRoute(name: string): ToolNotCallableError {
  return new ToolNotCallableError(`${name} has no route on the platform: it runs in its own process only`, {
    details: { tool: name, reason: "no_route" },
  });
}
