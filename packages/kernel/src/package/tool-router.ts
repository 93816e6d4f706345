// G1: a name that no route has resolves to nothing, however near it is to one that has.
import {
  type ErrorCode,
  nearest,
  type PackageRoute,
  type PolicyLevel,
  type ResolvedToolCall,
  type RuntimePackage,
  type ToolCallRequest,
  type ToolRegistrySnapshot,
} from "@spfunctions/contracts";
import type { ToolRegistry } from "../tool/registry.ts";
import { capabilityIdOf, deriveRoutes } from "./derive-routes.ts";

/** The route of a tool by its exact name. */
export type RouteOf = (name: string) => PackageRoute | undefined;

/** The routes of a package, sorted by name. */
export function snapshotOf({ fingerprint, toolRoutes }: RuntimePackage): ToolRegistrySnapshot {
  return Object.freeze({ packageFingerprint: fingerprint, routes: toolRoutes });
}

export type ToolResolution =
  | { readonly type: "resolved"; readonly call: ResolvedToolCall }
  | {
      readonly type: "refused";
      readonly code: Extract<ErrorCode, "unknown_tool">;
      readonly reason: string;
      /** Names that may have been meant. Nothing resolves to them. */
      readonly suggestions: readonly string[];
    };

/** Finds the one route that a call takes. */
export class ToolRouter {
  readonly snapshot: ToolRegistrySnapshot;
  readonly #routes: ReadonlyMap<string, PackageRoute>;

  constructor(snapshot: ToolRegistrySnapshot) {
    this.snapshot = snapshot;
    this.#routes = new Map(snapshot.routes.map((route) => [route.canonicalToolName, route]));
  }

  find(name: string): PackageRoute | undefined {
    return this.#routes.get(name);
  }

  resolve(request: ToolCallRequest): ToolResolution {
    const route = this.find(request.canonicalToolName);
    if (route !== undefined) return { type: "resolved", call: { request, route } };
    return {
      type: "refused",
      code: "unknown_tool",
      reason: "the runtime package has no tool of this name",
      suggestions: nearest(request.canonicalToolName, this.#routes.keys()),
    };
  }
}

/** The routes of tools that no package was made of: the same that one would have, each derived when it is asked for. */
export function routesUnder({ tools }: ToolRegistry, policies: readonly PolicyLevel[]): RouteOf {
  const known = new Map<string, PackageRoute | undefined>();
  return (name) => {
    if (!known.has(name)) known.set(name, routeIn(tools, policies, name));
    return known.get(name);
  };
}

function routeIn(
  tools: ToolRegistry["tools"],
  policies: readonly PolicyLevel[],
  name: string,
): PackageRoute | undefined {
  const contract = tools.get(name)?.contract;
  if (contract === undefined) return undefined;
  const capability = {
    type: "active",
    capabilityId: capabilityIdOf(contract),
    kind: "tool",
    contract,
  } as const;
  const [route] = deriveRoutes({ capabilities: [capability], policies: [...policies], sidecars: [] });
  if (route !== undefined)
    for (const part of [route, route.policyRefs, route.sidecarRefs]) Object.freeze(part);
  return route;
}
