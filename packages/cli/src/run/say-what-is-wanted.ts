import type { RuntimeEvent, RuntimeRunResult } from "@spfunctions/contracts";
import type { AskedPlace } from "../approvals/say-what-is-asked.ts";
import { momentText } from "../approvals/approval-facts.ts";
import { optionsFor } from "../effects/what-to-do.ts";
import { howToAnswerQuestion } from "../grants/print-grant.ts";
import { type Printer, whole } from "../io/printer.ts";
import type { OpenRun } from "./open-run.ts";
import type { RunCommandOptions } from "./run-options.ts";
import type { RunView } from "./run-view.ts";

/** A view that notes whether a tool which was let pass here could not reach something all the same. */
export class LackingTools {
  readonly #view: Pick<RunView, "event">;
  isAny = false;

  constructor(view: Pick<RunView, "event">) {
    this.#view = view;
  }

  readonly event = (event: RuntimeEvent): void | Promise<void> => {
    if (event.type === "tool.failed" && event.error.code === "capability_denied") this.isAny = true;
    return this.#view.event(event);
  };
}

type Terms = {
  readonly options: RunCommandOptions;
  readonly place: AskedPlace;
  readonly lacking: LackingTools;
};

/** Says what a run has asked an operator for, and how that is granted. It may have gone on without it. */
export async function sayWhatIsWanted(
  { runId, status }: Pick<RuntimeRunResult, "runId" | "status">,
  { operator }: Pick<OpenRun, "operator">,
  { options, place, lacking }: Terms,
  { err }: Pick<Printer, "err">,
): Promise<void> {
  const isOver = status !== "requires_approval" && status !== "recovery_needed";
  // It is only to tell more.
  const pending = (await operator?.capabilities.list({ status: "pending" }).catch(() => [])) ?? [];
  for (const { grantId, capability, expiresAt } of pending.filter(({ holder }) => holder.runId === runId)) {
    err(`  ${capability} was asked for, and waits for an answer until ${momentText(expiresAt, Date.now())}`);
    for (const line of howToAnswerQuestion(grantId, optionsFor(place), isOver)) err(whole(`  ${line}`));
  }
  if (!lacking.isAny) return;
  err(
    options.pack === undefined
      ? `  what is asked for at the platform, and how it is granted: sf grants ls${place.there ?? ""}`
      : `  where a tool was sent on to is granted by its name: sf grants grant net:<host> --for 1h${optionsFor(place)}`,
  );
}
