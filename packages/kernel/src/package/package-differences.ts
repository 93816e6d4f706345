import { canonicalJson, type RuntimePackage } from "@spfunctions/contracts";
import { orderPackage } from "./order-package.ts";
import { contentOf } from "./fingerprint-package.ts";

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
    ...otherParts(kept, here).filter((part) => part !== parts.provider || asked[0] === asked[1]),
  ];
}

const parts = {
  agentId: "as another agent",
  provider: "with other terms of its model",
  policies: "under other policies",
  rules: "under other rules of the host",
  hooks: "with other hooks",
  sidecars: "with other subagents or sidecars",
  outputContract: "for another kind of answer",
  strategy: "by another strategy",
} as const;

function otherParts(kept: RuntimePackage, here: RuntimePackage): string[] {
  const [before, now] = [kept, here].map((one) => orderPackage(contentOf(one)));
  const isSame = (part: keyof typeof parts) =>
    canonicalJson(before?.[part] ?? null) === canonicalJson(now?.[part] ?? null);
  return (Object.keys(parts) as (keyof typeof parts)[])
    .filter((part) => !isSame(part))
    .map((part) => parts[part]);
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
