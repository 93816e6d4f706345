import { CancelledError, type SimpleFunctionsError } from "@spfunctions/contracts";
import {
  type NetworkOptions,
  openOperator,
  type RunHandle,
  type RunResult,
  type Store,
  type Tool,
} from "@spfunctions/kernel";
import { knownChildren } from "../children/known-children.ts";
import { lastCursor } from "../children/last-cursor.ts";
import { askerOf, readRunTree } from "../children/run-tree.ts";
import { parentOf } from "../children/whose-run.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { LateStore } from "../packs/late-store.ts";
import { operatorOf } from "../seat/caller.ts";
import { held } from "../seat/held.ts";
import { isDriven, openStore, patienceOf } from "../seat/open-store.ts";
import { folderDriven } from "./driven-elsewhere.ts";
import { idleRuns } from "./idle-runs.ts";
import type { LoadedModel } from "./load-model.ts";
import type { FoundRun } from "./look-at-runs.ts";
import { openResumed } from "./open-resumed.ts";
import { sayAsked } from "./print-progress.ts";
import { type RestTerms, restOfRun, unanswered } from "./rest-of-run.ts";
import { type Telling, tellInTurn } from "./tell-in-turn.ts";
import { howToResume } from "./what-it-needs.ts";

export type DriveTerms = LoadedModel & {
  readonly elsewhere?: RestTerms["elsewhere"];
  readonly tools: readonly Tool[];
  readonly network?: NetworkOptions;
  /** Told of the store. */
  readonly late: LateStore;
  readonly account: string;
  /** How long another process that drives the folder is waited for, in milliseconds. */
  readonly waitMs: number;
  /** Whether people are waited for, too. */
  readonly isPatient: boolean;
};

/** Drives a run in this process until it has ended, or only a person can take it on, and says what it does meanwhile. */
export async function driveHere(
  found: FoundRun,
  { account, waitMs, isPatient, elsewhere, late, ...given }: DriveTerms,
  context: CommandContext,
): Promise<RunResult> {
  const { document, installation, runs, options } = found;
  const { io, print } = context;
  const past = await runs.get(document.runId);
  const tree = await readRunTree(async (runId) => await runs.get(runId), document.runId);
  const { result: before } = tree;
  return await held(async (undo, close) => {
    const store = late.opened(await openToDrive(found, waitMs, context), installation);
    undo.push(() => store.close());
    const operator = openOperator({ store, installation, principal: operatorOf(account) });
    const cursor = await lastCursor(past);
    const seen = idleRuns(store, installation, account);
    undo.push(() => seen.close());
    const source = {
      get: async (runId: string) => await seen.get(runId),
      parentOf: async (runId: string) => await parentOf(store, account, runId),
    };
    const telling = tellInTurn(print, options, source, await knownChildren(tree, source.get));
    const watch = telling.tell;
    io.entering?.({ type: "tool", name: document.runId });
    const resumed = await openResumed({ ...given, document, options, store, installation, watch });
    undo.push(resumed.close);
    print.err({ text: `${document.runId} is driven here`, style: "dim" });
    for (const approval of await unanswered({ operator, now: Date.now }, before))
      sayAsked(print, approval, options, askerOf(tree, approval.approvalId));
    const watched = watchTold(resumed.handle, cursor, telling);
    undo.push(watched.end);
    const { signal } = io;
    const result = await unlessStopped(resumed.handle, found, context, () =>
      isPatient
        ? stayUp(() => resumed.handle.wait({ signal }))
        : restOfRun(resumed.handle, { store, document, operator, elsewhere, signal, now: Date.now }),
    );
    await close();
    return result;
  });
}

async function openToDrive(
  { place, document: { runId }, options }: FoundRun,
  waitMs: number,
  context: CommandContext,
): Promise<Store> {
  try {
    return await openStore(place, patienceOf(waitMs, context));
  } catch (error) {
    throw isDriven(error) ? folderDriven(runId, options, error as SimpleFunctionsError) : error;
  }
}

/** Whoever ends this process only leaves the run: it is cancelled by those who say so. */
async function unlessStopped(
  { runId }: RunHandle,
  { options }: FoundRun,
  { io, print }: CommandContext,
  wait: () => Promise<RunResult>,
): Promise<RunResult> {
  try {
    return await wait();
  } catch (error) {
    if (!io.signal.aborted) throw error;
    const text = "what is under way is seen to its end; a second signal ends this at once";
    print.err({ text, style: "dim" });
    throw new CancelledError(
      `${runId} is driven here no more, and not cancelled: ${howToResume({ runId }, options)} takes it on`,
    );
  }
}

const longestMs = 2 ** 31 - 1;

/** People come by no timer, and nothing else keeps a process up that waits for them. */
async function stayUp<Value>(work: () => Promise<Value>): Promise<Value> {
  const timer = setInterval(() => undefined, longestMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Tells what happens from now on; at its end, also what has happened and was not told yet. */
function watchTold(
  handle: RunHandle,
  cursor: string | undefined,
  { tell, told }: Telling,
): { readonly end: () => Promise<void> } {
  const ending = new AbortController();
  const watching = (async () => {
    for await (const event of handle.stream({ cursor, signal: ending.signal })) tell(event);
  })();
  // Why a run is driven no more is told by whoever waits for it.
  const ended = watching.catch(() => undefined);
  return {
    end: async () => {
      ending.abort();
      await ended;
      await told();
    },
  };
}
