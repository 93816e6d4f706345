// Runs are kept where they are driven: in the store of that process, at which anybody who has it can look.
import { NotFoundError, type RunDocument, runDocumentSchema } from "@spfunctions/contracts";
import { loadInstallation } from "@spfunctions/host/installation";
import {
  type Installation,
  openOperator,
  type Operator,
  readKept,
  runKind,
  type Runs,
} from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import { optionsFor, placeOf } from "../effects/what-to-do.ts";
import { operatorOf } from "../seat/caller.ts";
import { requireApart } from "../seat/data-folder.ts";
import { type OpenJournal, withJournals } from "../trace/open-journals.ts";
import { idleRuns } from "./idle-runs.ts";
import type { RunsOptions } from "./runs-options.ts";

/** A place where there may be runs. */
export type RunsHere = OpenJournal & {
  readonly runs: Runs;
  readonly installation: Installation;
  /** Whoever looks at what they have asked. */
  readonly operator: Pick<Operator, "get">;
  /** What is added to a command so that it looks here. */
  readonly options: string;
};

/** Lets somebody look at every place where there may be runs; nothing is driven there. */
export async function withRuns<Done>(
  options: RunsOptions,
  context: CommandContext,
  look: (places: readonly RunsHere[]) => Promise<Done>,
): Promise<Done> {
  return await withJournals(options, context, async (journals) => {
    return await look(journals.map((journal) => runsIn(journal, options, context)));
  });
}

function runsIn(journal: OpenJournal, { account }: RunsOptions, { io }: CommandContext): RunsHere {
  const { place, isNamed, store } = journal;
  const { installation, path } = loadInstallation({ env: io.env, create: false });
  if (place.type === "folder") requireApart(place.folder, path);
  const { account: whose, ...where } = placeOf(place, account, io);
  const added = { ...(isNamed && where), ...(whose !== undefined && { account: whose }) };
  return {
    ...journal,
    installation,
    runs: idleRuns(store, installation, account),
    operator: openOperator({ store, installation, principal: operatorOf(account) }),
    options: optionsFor(added),
  };
}

/** A run where it lies, as it is listed. */
export type FoundRun = RunsHere & { readonly document: RunDocument };

/** Does something where a run is. */
export async function atRun<Done>(
  runId: string,
  options: RunsOptions,
  context: CommandContext,
  act: (found: FoundRun) => Promise<Done>,
): Promise<Done> {
  const { account: accountId } = options;
  return await withRuns(options, context, async (places) => {
    for (const here of places) {
      // oxlint-disable-next-line no-await-in-loop -- the first that has it
      const kept = await here.store.document({ kind: runKind, accountId, id: runId });
      if (kept === undefined) continue;
      const document = readKept(runDocumentSchema, kept.body, `what is kept of ${runId}`);
      // oxlint-disable-next-line no-await-in-loop -- the only one
      return await act({ ...here, document });
    }
    throw new NotFoundError(
      `there is no run ${runId} in account ${accountId} where it was looked; sf runs ls${places[0]?.options ?? ""} lists those there are`,
      { details: { reason: "no_run" } },
    );
  });
}
