// What the host does in every life besides, whatever the last one has done of it: it starts a child below each planner, and lets each clerk
// go on without its parent, and takes it back.
import { isSimpleFunctionsError, type RunDocument } from "@spfunctions/contracts";
import type { Store } from "@spfunctions/kernel";
import { setTimeout as after } from "node:timers/promises";
import { failed, unended } from "../killed-runtime/live.ts";
import { accountId } from "../killed-runtime/plan.ts";
import { jobOf, taskOf, toolOfRole } from "./plan.ts";
import type { TreeRuntime } from "./runtime.ts";

export async function hostBeside(runtime: TreeRuntime, store: Store, ending: AbortSignal): Promise<void> {
  const busyWith = new Set<string>();
  const attempt = (runId: string, act: () => Promise<void>) => {
    if (busyWith.has(runId) || runtime.done.has(runId)) return;
    busyWith.add(runId);
    act()
      .catch((error: unknown) => {
        // It is not driven yet, or no more: it is tried again, here or in the next life.
        const isNotNow =
          isSimpleFunctionsError(error) && ["invalid_transition", "not_found"].includes(error.code);
        if (!isNotNow && !ending.aborted) failed(`the host, for ${runId}`)(error);
      })
      .finally(() => busyWith.delete(runId));
  };
  /* oxlint-disable no-await-in-loop -- one look after the other */
  while (!ending.aborted) {
    const listed = await unended(store);
    const byId = new Map(listed.map((one) => [one.runId, one]));
    for (const run of listed) {
      const parent = run.parentRunId && byId.get(run.parentRunId);
      if (run.parentRunId === undefined) attempt(run.runId, () => swingClerk(runtime, store, run));
      else if (run.agentId === toolOfRole("planner") && parent)
        attempt(run.runId, () => startMason(runtime, run, jobOf(parent.sessionId)));
    }
    await after(25);
  }
  /* oxlint-enable no-await-in-loop */
}

async function startMason(runtime: TreeRuntime, { runId }: RunDocument, job: number): Promise<void> {
  const task = taskOf("mason", job);
  await runtime.startChild(runId, { subagent: toolOfRole("mason"), task, key: `mason of job ${job}` });
  runtime.done.set(runId);
}

/** Once for each clerk, in however many lives; one that has ended before stays as it is. */
async function swingClerk(runtime: TreeRuntime, store: Store, { runId }: RunDocument): Promise<void> {
  const { childRunId, last } = await clerkOf(store, runId);
  if (childRunId === undefined) return;
  if (last === "subagent.detaching" || last === "subagent.started") {
    await runtime.detach(childRunId, "the host answers for it").catch(ifNotNow);
    return;
  }
  if (last === "subagent.detached") await runtime.reclaim(childRunId);
  else runtime.done.set(runId);
}

function ifNotNow(error: unknown): void {
  if (!isSimpleFunctionsError(error) || error.code !== "invalid_transition") throw error;
}

type Said = { readonly kind: string; readonly childRunId?: string; readonly subagent?: string };

const places = new Set(
  ["started", "detaching", "detached", "reclaimed", "ended"].map((one) => `subagent.${one}`),
);

/** A root's clerk, and the last of what its parent says of where it belongs. */
async function clerkOf(
  store: Store,
  runId: string,
): Promise<{ readonly childRunId?: string | undefined; readonly last?: string | undefined }> {
  const stored = await store.readStream({ stream: runId, accountId, limit: 100_000 });
  const said = stored.map(({ text }) => JSON.parse(text) as Said);
  const childRunId = said.find(({ subagent }) => subagent === toolOfRole("clerk"))?.childRunId;
  const last = said.findLast((one) => one.childRunId === childRunId && places.has(one.kind))?.kind;
  return childRunId === undefined ? {} : { childRunId, last };
}
