import { capabilityReach, InvalidInputError } from "@spfunctions/contracts";

/**
 * The public suffix list, as the version of `tldts` carries it that package.json names exactly, and the day that version was
 * published. A suffix that was added to the list later is not refused.
 */
export const publicSuffixList = { version: "7.5.3", date: "2026-11-14" } as const;

/** All below a public suffix is everybody. */
export async function requireBounded(capability: string): Promise<void> {
  const reach = capabilityReach(capability);
  if (reach?.type !== "below" || !(await isPublicSuffix(reach.host))) return;
  throw new InvalidInputError(
    `everybody has a name below ${reach.host}, says the public suffix list of ${publicSuffixList.date}: name one of them, net:*.<name>.${reach.host}`,
    { details: { path: "/capability" } },
  );
}

/** Whether people who have nothing to do with each other have names right below this one: `com`, `co.uk`, `github.io`. */
async function isPublicSuffix(host: string): Promise<boolean> {
  // It is large, and hardly ever needed.
  const { getPublicSuffix } = await import("tldts");
  // Some have nobody right below them, but suffixes: `*.kawasaki.jp`, `*.compute.amazonaws.com`.
  return [host, `any.${host}`].some((name) => getPublicSuffix(name, { allowPrivateDomains: true }) === name);
}
