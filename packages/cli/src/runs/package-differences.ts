import type { RuntimePackage } from "@spfunctions/contracts";

/** What of two packages is not the same, in words: what a run was started with, and what is here. */
export function packageDifferences(kept: RuntimePackage, here: RuntimePackage): string[] {
  const [before, now] = [toolsOf(kept), toolsOf(here)];
  const missing = [...before.keys()].filter((tool) => !now.has(tool));
  const more = [...now.keys()].filter((tool) => !before.has(tool));
  const other = [...before].filter(([tool, digest]) => now.has(tool) && now.get(tool) !== digest);
  const asked = [kept, here].map(({ provider }) => provider?.model);
  return [
    ...listed("without", missing),
    ...listed(
      "with another contract of",
      other.map(([tool]) => tool),
    ),
    ...listed("with tools it did not have:", more),
    ...(asked[0] === asked[1] ? [] : [`with the model ${asked[1]} in place of ${asked[0]}`]),
  ];
}

function listed(words: string, tools: readonly string[]): string[] {
  return tools.length === 0 ? [] : [`${words} ${tools.join(", ")}`];
}

function toolsOf({ capabilities }: RuntimePackage): ReadonlyMap<string, string> {
  return new Map(
    capabilities.flatMap((one) =>
      one.type === "active" ? [[one.contract.name, one.contract.digest] as const] : [],
    ),
  );
}
