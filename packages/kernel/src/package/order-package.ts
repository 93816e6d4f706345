import {
  hookPhases,
  hookPoints,
  type PackageContent,
  type PackageHook,
  type PackageRoute,
} from "@spfunctions/contracts";

/** The same package with its sets in the one order that is written down: in which they came says nothing. */
export function orderPackage(content: PackageContent): PackageContent {
  return {
    ...content,
    capabilities: content.capabilities.toSorted(by(({ capabilityId }) => capabilityId)),
    toolRoutes: content.toolRoutes.map(orderRoute).toSorted(by(({ canonicalToolName }) => canonicalToolName)),
    hooks: content.hooks.toSorted(compareHooks),
    sidecars: content.sidecars
      .map((sidecar) => ({ ...sidecar, capabilityIds: asSet(sidecar.capabilityIds) }))
      .toSorted(by(({ ref }) => ref)),
  };
}

export function orderRoute(route: PackageRoute): PackageRoute {
  return { ...route, policyRefs: asSet(route.policyRefs), sidecarRefs: asSet(route.sidecarRefs) };
}

/** In the order in which hooks are asked: by point, phase, order and id. */
function compareHooks(a: PackageHook, b: PackageHook): number {
  return (
    hookPoints.indexOf(a.point) - hookPoints.indexOf(b.point) ||
    hookPhases.indexOf(a.phase) - hookPhases.indexOf(b.phase) ||
    a.order - b.order ||
    compareText(a.id, b.id)
  );
}

function asSet<Text extends string>(texts: readonly Text[]): Text[] {
  return [...new Set(texts)].toSorted();
}

function by<Item>(read: (item: Item) => string): (a: Item, b: Item) => number {
  return (a, b) => compareText(read(a), read(b));
}

/** By UTF-16 code units, wherever it runs. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
