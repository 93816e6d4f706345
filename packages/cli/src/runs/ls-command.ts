import { exitCodes, isSimpleFunctionsError, type RunDocument } from "@spfunctions/contracts";
import type { RunState } from "@spfunctions/kernel";
import { forestOf, type Planted } from "../children/run-forest.ts";
import { isLetGo, masterOf } from "../children/whose-run.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { asCommands } from "../io/as-commands.ts";
import { accountsIn } from "../trace/open-journals.ts";
import { type RunsHere, withRuns } from "./look-at-runs.ts";
import { isNobodys } from "./is-nobodys.ts";
import type { Listed, ListedHere } from "./listed-run.ts";
import { printListed } from "./print-listed.ts";
import { withQuestionsNow } from "./questions-now.ts";
import { hasEnded } from "./run-states.ts";
import type { RunsOptions } from "./runs-options.ts";

export type RunsLsOptions = RunsOptions & { readonly state?: RunState; readonly limit: number };

/** How `sf` is to exit: what somebody has changed is not as if it were in order (B22). */
export async function listRuns(options: RunsLsOptions, context: CommandContext): Promise<number> {
  const { print } = context;
  return await withRuns(options, context, async (places) => {
    const found: ListedHere[] = [];
    for (const here of places) {
      // oxlint-disable-next-line no-await-in-loop -- a handful
      const listed = await unlessLeftOut(here, context, () => runsIn(here, options));
      if (listed !== undefined) found.push(listed);
    }
    const all = found.flatMap(({ runs }) => runs);
    if (options.json === true) {
      const total = found.reduce((sum, one) => sum + one.total, 0);
      print.json({ ok: true, total, runs: all }, 2);
    } else {
      const accounts = all.length > 0 ? [] : await Promise.all(places.map(({ store }) => accountsIn(store)));
      printListed(found, { ...options, accounts: accounts.flat() }, print);
    }
    return all.some(isBroken) ? exitCodes.verificationFailed : exitCodes.done;
  });
}

function isBroken({ problem, children }: Listed): boolean {
  return problem !== undefined || children.some(isBroken);
}

type Kept = Omit<RunDocument, "seal"> & { readonly state: RunState };

function unsealed(run: RunDocument & { readonly state: RunState }): Kept {
  const { seal: _, ...kept } = run;
  return kept;
}

/** The newest first, each with its children. */
async function runsIn(here: RunsHere, { state, limit, account }: RunsLsOptions): Promise<ListedHere> {
  const listed = await here.runs.list(state === undefined ? {} : { state });
  const letGo = new Set<string>();
  for (const { runId, parentRunId, state: now } of listed) {
    // Of one that has ended nobody has to know whether it was.
    if (parentRunId === undefined || hasEnded(now)) continue;
    // oxlint-disable-next-line no-await-in-loop -- one after the other: each is read whole
    if (await isLetGo(here.store, account, runId)) letGo.add(runId);
  }
  const forest = forestOf(listed.map(unsealed), ({ runId }) => letGo.has(runId));
  const runs: Listed[] = [];
  for (const planted of forest.slice(0, limit)) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: each is read whole
    runs.push(await listedOf(here, planted, account, true));
  }
  return { here, runs, total: forest.length };
}

async function listedOf(
  here: RunsHere,
  { run, children: below }: Planted<Kept>,
  account: string,
  isTop: boolean,
): Promise<Listed> {
  const needs = await needsOf(here, run, account, isTop);
  const children: Listed[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other: each is read whole
  for (const one of below) children.push(await listedOf(here, one, account, false));
  return { ...run, where: here.folder, ...needs, children };
}

type Needs = Pick<Listed, "approvals" | "unknown" | "asks" | "nobodys" | "goesOnWith" | "problem">;

/** A child is driven with its parent: where that is listed above it, it says whether anybody does. */
async function needsOf(
  here: RunsHere,
  { runId, state }: Pick<Listed, "runId" | "state">,
  account: string,
  isTop: boolean,
): Promise<Needs> {
  // Also one that goes on may have calls that wait.
  if (hasEnded(state)) return {};
  try {
    const { operator } = here;
    const result = await (await here.runs.get(runId)).result();
    const { approvals, unknown, asks } = await withQuestionsNow(result, { operator, now: Date.now });
    const needs = { approvals, unknown, ...(asks && { asks }) };
    if (!isTop) return needs;
    const master = await masterOf(here.store, account, runId);
    const nobodys = await isNobodys(here, account, master);
    return { ...needs, nobodys, ...(master !== runId && { goesOnWith: master }) };
  } catch (error) {
    if (!isSimpleFunctionsError(error) || error.code !== "journal_corrupt") throw error;
    return { problem: error.message };
  }
}

/** A place that nobody has named may be another installation's: then it is said, and the others are looked at. */
async function unlessLeftOut<Value>(
  { isNamed, folder }: RunsHere,
  { print }: CommandContext,
  look: () => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await look();
  } catch (error) {
    const isOthers = isSimpleFunctionsError(error) && error.code === "host_configuration_needed";
    if (isNamed || !isOthers) throw error;
    print.err({ text: "note", style: "yellow" }, `: ${folder} is left out: ${asCommands(error.message)}`);
    return undefined;
  }
}
