import { type AgentState, canonicalJson, type ChatMessage, type Checkpoint } from "@spfunctions/contracts";

const lists = [
  "goals",
  "openLoops",
  "decisions",
  "constraints",
  "memoryTags",
  "memoryRefs",
  "capabilitiesGranted",
  "capabilitiesPending",
] as const satisfies readonly (keyof AgentState)[];

type ListDiff = {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** What is in both stands in another order. */
  readonly reordered: boolean;
};

export type CheckpointDiff = {
  readonly revision: { readonly from: number; readonly to: number };
  /** Only lists that differ. */
  readonly lists: { readonly [Name in (typeof lists)[number]]?: ListDiff };
  /** Only where it differs. */
  readonly episodeSummary?: { readonly before: string; readonly after: string };
  readonly messages: { readonly added: number; readonly dropped: number };
};

/** What is otherwise in the second than in the first. */
export function diffCheckpoints(from: Checkpoint, to: Checkpoint): CheckpointDiff {
  const differing = lists.flatMap((name) => {
    const diff = diffLists(from.state[name], to.state[name]);
    return diff === undefined ? [] : [[name, diff] as const];
  });
  const [before, after] = [from.state.episodeSummary, to.state.episodeSummary];
  const [said, saidNow] = [from.recentMessages.map(asText), to.recentMessages.map(asText)];
  return {
    revision: { from: from.revision, to: to.revision },
    lists: Object.fromEntries(differing),
    ...(before !== after && { episodeSummary: { before, after } }),
    messages: { added: split(saidNow, said).rest.length, dropped: split(said, saidNow).rest.length },
  };
}

function diffLists(before: readonly string[], after: readonly string[]): ListDiff | undefined {
  const { rest: removed, common } = split(before, after);
  const { rest: added, common: commonNow } = split(after, before);
  const reordered = common.some((text, index) => text !== commonNow[index]);
  return added.length === 0 && removed.length === 0 && !reordered ? undefined : { added, removed, reordered };
}

/** What of a list is in another, too, each as often as it is there, and what is not. */
function split(texts: readonly string[], others: readonly string[]): { rest: string[]; common: string[] } {
  const counts = new Map<string, number>();
  for (const text of others) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [rest, common]: [string[], string[]] = [[], []];
  for (const text of texts) {
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    (count > 0 ? common : rest).push(text);
  }
  return { rest, common };
}

function asText({ role, content }: ChatMessage): string {
  return canonicalJson([role, content]);
}
