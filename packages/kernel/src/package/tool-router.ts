// G1: a name that no route has resolves to nothing, however near it is to one that has.
import {
  type ErrorCode,
  nearest,
  type PackageRoute,
  type ResolvedToolCall,
  type RuntimePackage,
  type ToolCallRequest,
  type ToolRegistrySnapshot,
} from "@spfunctions/contracts";

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

  resolve(request: ToolCallRequest): ToolResolution {
    const route = this.#routes.get(request.canonicalToolName);
    if (route !== undefined) return { type: "resolved", call: { request, route } };
    return {
      type: "refused",
      code: "unknown_tool",
      reason: "the runtime package has no tool of this name",
      suggestions: nearest(request.canonicalToolName, this.#routes.keys()),
    };
  }
}
