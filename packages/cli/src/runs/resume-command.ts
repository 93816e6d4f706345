import {
  errorFor,
  exitCodes,
  InvalidTransitionError,
  isSimpleFunctionsError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import type { RunResult } from "@spfunctions/kernel";
import { momentText } from "../approvals/approval-facts.ts";
import { chatAgentId } from "../chat/chat-agent-id.ts";
import { masterOf } from "../children/whose-run.ts";
import { holderOf, readRunTree } from "../children/run-tree.ts";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { type GivenNetwork, networkOf } from "../command-line/network-options.ts";
import { whole } from "../io/printer.ts";
import { printError, reportError } from "../io/report-error.ts";
import { LateStore } from "../packs/late-store.ts";
import { loadPacks } from "../packs/load-packs.ts";
import { demoContext, demoPack } from "../run/demo.ts";
import { demoModel } from "../run/demo-model.ts";
import { exitOfRun } from "../run/exit-of-run.ts";
import { modelNameIn } from "../run/named-model.ts";
import { printOutput } from "../run/print-output.ts";
import { driveHere } from "./drive-here.ts";
import { type LoadedModel, loadModel } from "./load-model.ts";
import { atRun, type FoundRun } from "./look-at-runs.ts";
import { isPlatforms, type ResumedTools, withPlatformTools } from "./platform-tools.ts";
import { readRunStory } from "./run-story.ts";
import { isOver, stateOf, stateText } from "./run-states.ts";
import { requireRunId, type RunsOptions } from "./runs-options.ts";
import { howToDecide, howToResume, howToResumeWith } from "./what-it-needs.ts";

export type RunsResumeOptions = RunsOptions &
  GivenNetwork & {
    readonly pack?: readonly string[];
    readonly url?: string;
    readonly keyFile?: string;
    readonly model?: string;
    readonly demo?: true;
    readonly waitForApproval?: true;
    readonly wait: number;
  };

/** How `sf` is to exit. */
export async function resumeRun(
  runId: string,
  options: RunsResumeOptions,
  given: CommandContext,
): Promise<number> {
  requireRunId(runId);
  const context = options.demo === true ? demoContext(given) : given;
  const { io, print } = context;
  const { pack: names = [], account, wait: waitMs, waitForApproval } = options;
  // Everything that can be wrong before anything is opened.
  const own = options.demo === true ? demoPack : [];
  const late = new LateStore();
  const { tools, rules } = names.length === 0 ? { tools: own, rules: [] } : await loadPacks(names, io, late);
  const loaded = await modelOf(options, context);
  return await atRun(runId, options, context, async (found) => {
    try {
      requireNoTurn(found);
      const before = await (await found.runs.get(runId)).result();
      if (isOver(before)) {
        await printEnded(before, found, options, context);
        return exitOfRun(before, io.signal);
      }
      await requireMaster(found, options);
      const isPatient = waitForApproval === true;
      const drive = async (reached: ResumedTools) => {
        const ports = {
          ...loaded.ports,
          ...reached.ports,
          rules: [...new Set([...rules, ...(loaded.ports.rules ?? [])])],
        };
        const how = { account, waitMs, isPatient, late, ...networkOf(options) };
        return await driveHere(found, { ...loaded, ...reached, ports, ...how }, context);
      };
      const result =
        names.length === 0 && (await isPlatforms(found, options, own))
          ? await withPlatformTools(found, options, context, async (reached) =>
              drive({ ...reached, tools: [...reached.tools, ...own] }),
            )
          : await drive({ tools, ports: {} });
      await printResult(result, found, options, context);
      return exitOfRun(result, io.signal);
    } catch (error) {
      if (!isSimpleFunctionsError(error) || !isRefusal(error)) throw error;
      reportError(print, error, options.json === true ? "json" : "human", io.env);
      return exitCodes.refused;
    }
  });
}

async function modelOf({ demo, model }: RunsResumeOptions, { io }: CommandContext): Promise<LoadedModel> {
  if (demo === true) return { model: { adapter: demoModel() }, ports: {} };
  const name = modelNameIn(model, io);
  if (name === undefined)
    throw badUsage(
      "its model is needed: give --model as sf run names it, or the module that has it, or set SF_MODEL; a run of sf run --demo goes on with --demo",
    );
  return await loadModel(name, io);
}

/** What its model is shown is put together by the chat that it is a turn of. */
function requireNoTurn({ document, options: added }: FoundRun): void {
  const { runId, agentId } = document;
  if (agentId !== chatAgentId) return;
  throw new InvalidTransitionError(
    `${runId} is a turn of a chat, and goes on there: ${howToResume(document, added)}, with the model, packs and policy that it was begun with`,
    { details: { reason: "turn_of_chat", runId } },
  );
}

/** J3: what drives a run drives its children. */
async function requireMaster(
  { store, document: { runId, parentRunId }, options: added }: FoundRun,
  given: RunsResumeOptions,
): Promise<void> {
  if (parentRunId === undefined) return;
  const master = await masterOf(store, given.account, runId);
  if (master === runId) return;
  throw new InvalidTransitionError(
    `${runId} is a child of ${parentRunId}, and goes on with ${master}: ${howToResumeWith(master, given, added)}`,
    { details: { reason: "child", runId } },
  );
}

const refusals: ReadonlySet<unknown> = new Set([
  "driven",
  "child",
  "turn_of_chat",
  "other_package",
  "other_ports",
  "other_rules",
  "other_key",
  "other_tools",
  "other_model",
]);

/** It is there, and it is not taken on here: it is under way elsewhere, or this is not what it was started with. */
function isRefusal(error: SimpleFunctionsError): boolean {
  return refusals.has(error.details?.reason);
}

/** What a run had come to before: the same answer, and that nothing was done for it now. */
async function printEnded(
  result: RunResult,
  found: FoundRun,
  given: RunsResumeOptions,
  context: CommandContext,
): Promise<void> {
  const { print } = context;
  const { runId, status, error } = result;
  printAnswer(result, found, given, context);
  const { endedAt } = await readRunStory(found);
  const when = endedAt === undefined ? "" : `, ${momentText(endedAt, Date.now())}`;
  print.err({ text: `${runId} ended as ${status}${when}; nothing was asked or run now`, style: "dim" });
  if (error !== undefined) print.err(`  ${error.code}: ${error.message}`);
}

/** Alone on the standard output; what is said about it goes beside. */
function printAnswer(
  result: RunResult,
  { folder }: FoundRun,
  given: RunsResumeOptions,
  { print, io }: CommandContext,
): void {
  const ok = result.status === "completed";
  if (given.json === true) print.json({ ok, where: folder, result }, 2);
  else printOutput(result.output, { print, io });
}

async function printResult(
  result: RunResult,
  found: FoundRun,
  given: RunsResumeOptions,
  context: CommandContext,
): Promise<void> {
  const { print, io } = context;
  const { runs, options: added } = found;
  const { runId, status, error, unknown } = result;
  printAnswer(result, found, given, context);
  if (error !== undefined) printError(print, errorFor(error.code, error.message), io.env, added);
  print.err({
    text: `${runId}  ${stateText(stateOf(result))}`,
    style: status === "completed" ? "green" : "yellow",
  });
  const tree =
    unknown.length === 0 ? { children: [] } : await readRunTree(async (id) => await runs.get(id), runId);
  for (const effectId of unknown) {
    const decide = howToDecide(holderOf(tree, effectId)?.runId ?? runId, effectId, added);
    print.err(whole(`  nobody knows what became of ${effectId}: ${decide}`));
  }
  if (status === "requires_approval" || status === "recovery_needed")
    print.err(whole(`  it is left as it is; once that is answered: ${howToResumeWith(runId, given, added)}`));
}
