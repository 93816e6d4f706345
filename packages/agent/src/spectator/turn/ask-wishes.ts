// B17: a model may only ask. What it asks for stands before an operator, with what it had read just before.
import type { Capability } from "@spfunctions/contracts";
import { cutText } from "@spfunctions/contracts";
import type { Run, Runs } from "@spfunctions/kernel";
import { readSaid } from "../protocol/read-answer.ts";
import { readActions } from "../state/read-actions.ts";
import type { TurnTerms } from "./fold-turn.ts";

/** What became of it. */
export type Wish = {
  readonly capability: Capability;
  readonly type: "granted" | "asked" | "denied" | "too_many" | "refused";
  readonly grantId?: string;
  readonly why?: string;
};

const mostRead = 5;
const readChars = 300;
const reasonChars = 500;

export async function askWishes(
  runs: Pick<Runs, "askFor" | "read">,
  { runId, text }: { readonly runId: string; readonly text: string },
  { answers }: Pick<TurnTerms, "answers">,
): Promise<Wish[]> {
  const { notes, visible } = readSaid(text, answers);
  const actions = notes?.type === "patch" ? (notes.patch.actions ?? []) : [];
  const wanted = readActions(actions).wanted.flatMap((one) =>
    one.type === "request" ? [one.capability] : [],
  );
  if (wanted.length === 0) return [];
  const run = await runs.read(runId).catch((error: unknown) => ({ error }));
  if ("error" in run) return wanted.map((capability) => refused(capability, run.error));
  // What a child of it says is its parent's to hear.
  if (run.opening.parent !== undefined) return [];
  const terms = { reason: cutText(visible, reasonChars), readBefore: readBeforeIn(run) };
  const wishes: Wish[] = [];
  for (const capability of wanted) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, in their order
    wishes.push(await ask(runs, runId, capability, terms));
  }
  return wishes;
}

/** Nothing that is asked for ends a turn: what cannot be asked is told. */
async function ask(
  runs: Pick<Runs, "askFor">,
  runId: string,
  capability: Capability,
  terms: { readonly reason: string; readonly readBefore: readonly string[] },
): Promise<Wish> {
  try {
    const asked = await runs.askFor(runId, capability, terms);
    if (asked.type === "not_asked") return { capability, type: asked.why };
    return { capability, type: asked.type, grantId: asked.grant.grantId };
  } catch (error) {
    return refused(capability, error);
  }
}

function refused(capability: Capability, error: unknown): Wish {
  const why = error instanceof Error ? error.message : "it could not be asked";
  return { capability, type: "refused", why };
}

/** The latest first: where a wish may come from. */
function readBeforeIn({ steps }: Run): string[] {
  const read = steps.flatMap(({ calls, results }) =>
    results.map(({ callId, text }) => {
      const tool = calls.find((one) => one.callId === callId)?.name ?? "a tool";
      return `${tool}: ${cutText(text, readChars)}`;
    }),
  );
  return read.toReversed().slice(0, mostRead);
}
