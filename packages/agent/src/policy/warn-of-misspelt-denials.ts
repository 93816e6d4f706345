import { type AgentPolicy, matchesToolPattern, nearest } from "@spfunctions/contracts";

/** Once each: who governs anew for every request is not told every time. */
const said = new Set<string>();
const mostSaid = 100;

/**
 * A name in `denyTools` that no tool has denies nothing. A policy may be for several packs, so that this is no error; where it is nearly the
 * name of a tool that is here, it is most likely meant, and somebody is told.
 */
export function warnOfMisspeltDenials({ denyTools = [] }: AgentPolicy, names: readonly string[]): void {
  for (const denied of denyTools) {
    if (names.some((name) => matchesToolPattern(name, denied))) continue;
    const [meant] = nearest(denied, denied.endsWith(".*") ? names.flatMap(patternsOf) : names, 1);
    if (meant === undefined || said.has(denied) || said.size >= mostSaid) continue;
    said.add(denied);
    process.emitWarning(
      `denyTools has "${denied}", and no tool here has that name; did you mean "${meant}"?`,
      {
        type: "PolicyWarning",
      },
    );
  }
}

/** `a.b.c` is under `a.*` and `a.b.*`. */
function patternsOf(name: string): string[] {
  const words = name.split(".").slice(0, -1);
  return words.map((_, index) => `${words.slice(0, index + 1).join(".")}.*`);
}
