// A run's records say what it has asked; what people have said since is kept with the questions.
import { type Approval, type ApprovalOfCall, isSimpleFunctionsError } from "@spfunctions/contracts";
import type { Operator, RunResult } from "@spfunctions/kernel";
import type { ChildTree, RunTree } from "../children/run-tree.ts";
import type { RunStory, StoryCall } from "./run-story.ts";
import { statusNow } from "../approvals/approval-facts.ts";

export type Asking = { readonly operator: Pick<Operator, "get">; readonly now: () => number };

/** The same for a run and all below it. */
export async function treeNow<Tree extends RunTree>(tree: Tree, asking: Asking): Promise<Tree> {
  const children: ChildTree[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const child of tree.children) children.push(await treeNow(child, asking));
  const result = tree.result && (await withQuestionsNow(tree.result, asking));
  return { ...tree, ...(result && { result }), children };
}

/** What a run has come to, with its questions as they stand now. */
export async function withQuestionsNow(result: RunResult, asking: Asking): Promise<RunResult> {
  const approvals = await Promise.all(result.approvals.map((asked) => questionNow(asked, asking)));
  return { ...result, approvals };
}

/** What a run has said and done, with when each of its questions was decided. */
export async function withDecisionTimes(story: RunStory, { operator }: Asking): Promise<RunStory> {
  const dated = async (call: StoryCall): Promise<StoryCall> => {
    const { approval } = call;
    if (approval?.decidedBy === undefined || approval.elsewhere !== undefined) return call;
    const { decidedAt } = (await kept(approval, operator)) ?? {};
    return decidedAt === undefined ? call : { ...call, approval: { ...approval, decidedAt } };
  };
  const steps = story.steps.map(async (step) => ({
    ...step,
    calls: await Promise.all(step.calls.map(dated)),
  }));
  return { ...story, steps: await Promise.all(steps) };
}

/** Of one that another place has asked, only that place knows more. */
async function questionNow(asked: ApprovalOfCall, { operator, now }: Asking): Promise<ApprovalOfCall> {
  if (asked.elsewhere !== undefined) return asked;
  const approval = await kept(asked, operator);
  // Of one that is lost the run itself says what becomes of it.
  if (approval === undefined) return asked;
  const { decidedBy, grantId } = approval;
  return {
    ...asked,
    status: statusNow(approval, now()),
    ...(decidedBy && { decidedBy }),
    ...(grantId && { grantId }),
  };
}

async function kept(
  { approvalId }: ApprovalOfCall,
  operator: Asking["operator"],
): Promise<Approval | undefined> {
  try {
    return await operator.get(approvalId);
  } catch (error) {
    if (isSimpleFunctionsError(error) && error.code === "not_found") return undefined;
    throw error;
  }
}
