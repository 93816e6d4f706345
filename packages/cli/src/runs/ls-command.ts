import { exitCodes, isSimpleFunctionsError, type RunDocument } from "@spfunctions/contracts";
import type { RunResult, RunState } from "@spfunctions/kernel";
import { momentText } from "../approvals/approval-facts.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { asCommands } from "../io/as-commands.ts";
import { type RunsHere, withRuns } from "./look-at-runs.ts";
import { isNobodys } from "./is-nobodys.ts";
import { withQuestionsNow } from "./questions-now.ts";
import { hasEnded, stateText } from "./run-states.ts";
import type { RunsOptions } from "./runs-options.ts";
import { howItStands, howToAnswer, howToDecide, howToResume } from "./what-it-needs.ts";

export type RunsLsOptions = RunsOptions & { readonly state?: RunState; readonly limit: number };

/** A run in a list; of one that only a person can take on, also what it needs. */
type Listed = Omit<RunDocument, "seal"> &
  Partial<Pick<RunResult, "approvals" | "unknown">> & {
    readonly where: string;
    readonly state: RunState;
    /** Whether it is known that no process drives it. */
    readonly nobodys?: boolean;
    /** Why it is not known what it needs. */
    readonly problem?: string;
  };

type ListedHere = { readonly here: RunsHere; readonly runs: readonly Listed[]; readonly total: number };

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
    } else printListed(found, options, context);
    return all.some(({ problem }) => problem !== undefined) ? exitCodes.verificationFailed : exitCodes.done;
  });
}

/** The newest first. */
async function runsIn(here: RunsHere, { state, limit, account }: RunsLsOptions): Promise<ListedHere> {
  const listed = await here.runs.list(state === undefined ? {} : { state });
  const newest = listed.toSorted((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt));
  const runs: Listed[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other: each is read whole
  for (const { seal: _, ...run } of newest.slice(0, limit)) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: each is read whole
    runs.push({ ...run, where: here.folder, ...(await needsOf(here, run, account)) });
  }
  return { here, runs, total: listed.length };
}

async function needsOf(
  here: RunsHere,
  { runId, state }: Pick<Listed, "runId" | "state">,
  account: string,
): Promise<Pick<Listed, "approvals" | "unknown" | "nobodys" | "problem">> {
  // Also one that goes on may have calls that wait.
  if (hasEnded(state)) return {};
  try {
    const { operator } = here;
    const result = await (await here.runs.get(runId)).result();
    const { approvals, unknown } = await withQuestionsNow(result, { operator, now: Date.now });
    return { approvals, unknown, nobodys: await isNobodys(here, account, runId) };
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

function printListed(
  found: readonly ListedHere[],
  { state }: RunsLsOptions,
  { print }: CommandContext,
): void {
  const there = found.filter(({ runs }) => runs.length > 0);
  if (there.length === 0) print.out(state === undefined ? "none: no run is kept here" : `none is ${state}`);
  for (const { here, runs, total } of there) {
    for (const run of runs) {
      const { runId, agentId, sessionId, startedAt } = run;
      print.out({ text: runId, style: "bold" }, `  ${stateText(run.state, run.approvals)}`);
      const session = sessionId === undefined ? "" : `, session ${sessionId}`;
      print.out(`  agent ${agentId}${session}, started ${momentText(startedAt, Date.now())}`);
      for (const line of needsText(run, here.options)) print.out(`  ${line}`);
    }
    const more = runs.length < total ? `, ${total - runs.length} older ones not shown (--limit)` : "";
    const text = `${runs.length} in ${here.folder}${more}; one whole: sf runs show <runId>${here.options}`;
    print.err({ text, style: "dim" });
  }
}

function needsText(run: Listed, options: string): string[] {
  const { runId, approvals = [], unknown = [], nobodys, problem } = run;
  const driving = nobodys === true ? "nobody drives it" : "where nobody drives it";
  return [
    ...(problem === undefined ? [] : [`broken: ${problem}`]),
    ...approvals.map((asked) =>
      asked.status === "pending"
        ? `waits for ${asked.approvalId}: ${howToAnswer(asked, options)}`
        : `${howItStands(asked)}; ${driving}: ${howToResume(runId, options)}`,
    ),
    ...unknown.map((effectId) => `needs to know of ${effectId}: ${howToDecide(runId, effectId, options)}`),
  ];
}
