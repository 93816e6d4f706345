// A run and its children, as each of them says itself.
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import type { ChildResult, RunHandle, RunResult } from "@spfunctions/kernel";

export type RunTree = {
  readonly runId: string;
  /** What it has come to; nothing where it has not begun, or cannot be read. */
  readonly result?: RunResult;
  /** Why it cannot be read. */
  readonly problem?: string;
  readonly children: readonly ChildTree[];
};

/** A child, with how it stands for its parent. */
export type ChildTree = RunTree & Pick<ChildResult, "subagent" | "depth" | "status">;

type Get = (runId: string) => Promise<RunHandle>;

export async function readRunTree(
  get: Get,
  runId: string,
): Promise<RunTree & { readonly result: RunResult }> {
  const result = await (await get(runId)).result();
  return { runId, result, children: await childrenOf(result, get, new Set([runId])) };
}

/** B22: a run that stands below itself was written by nobody of ours, and is looked at once. */
async function childrenOf({ children }: RunResult, get: Get, seen: Set<string>): Promise<ChildTree[]> {
  const found: ChildTree[] = [];
  for (const { runId, subagent, depth, status } of children) {
    if (seen.has(runId)) continue;
    seen.add(runId);
    // oxlint-disable-next-line no-await-in-loop -- one after the other: each is read whole
    const read = await readChild(get, runId);
    // oxlint-disable-next-line no-await-in-loop -- see above
    const below = read.result === undefined ? [] : await childrenOf(read.result, get, seen);
    found.push({ runId, subagent, depth, status, ...read, children: below });
  }
  return found;
}

async function readChild(get: Get, runId: string): Promise<Pick<RunTree, "result" | "problem">> {
  try {
    return { result: await (await get(runId)).result() };
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    return error.code === "not_found" ? {} : { problem: error.message };
  }
}

/** Every child, each before those below it. */
export function allBelow({ children }: Pick<RunTree, "children">): ChildTree[] {
  return children.flatMap((child) => [child, ...allBelow(child)]);
}

/** Which of them it is that has something which those above only pass on; nothing where it is the run itself. */
function childWith(
  tree: Pick<RunTree, "children">,
  has: (result: RunResult) => boolean,
): ChildTree | undefined {
  return allBelow(tree).findLast(({ result }) => result !== undefined && has(result));
}

/** Which child has asked a question. */
export function askerOf(tree: Pick<RunTree, "children">, approvalId: string): ChildTree | undefined {
  return childWith(tree, ({ approvals }) => approvals.some((asked) => asked.approvalId === approvalId));
}

/** Which child has an effect of which nobody knows what became. */
export function holderOf(tree: Pick<RunTree, "children">, effectId: string): ChildTree | undefined {
  return childWith(tree, ({ unknown }) => unknown.some((one) => one === effectId));
}

/** Which child it is, for whoever reads of something that it needs. */
export function childText({ subagent, runId }: Pick<ChildTree, "subagent" | "runId">): string {
  return `${subagent} (${runId})`;
}
