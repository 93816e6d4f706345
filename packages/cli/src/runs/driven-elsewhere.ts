import { InvalidTransitionError, type SimpleFunctionsError } from "@spfunctions/contracts";

/** J3: one process drives a run. */
export function drivenElsewhere(runId: string, options: string): InvalidTransitionError {
  return driven(
    runId,
    `another process drives ${runId}: it goes on there. ${howToSee(runId, options)} shows how`,
    options,
  );
}

/** B25: of a folder that another process drives, nobody knows which runs that one drives, too. */
export function folderDriven(
  runId: string,
  options: string,
  { details }: Pick<SimpleFunctionsError, "details">,
): InvalidTransitionError {
  const which = typeof details?.pid === "number" ? ` (${details.pid})` : "";
  const who = `another process${which} drives ${runId}, or at least the folder that it is in`;
  return driven(
    runId,
    `${who}. ${howToSee(runId, options)} shows whether it goes on there; --wait waits longer for the end of that process`,
    options,
  );
}

function driven(runId: string, text: string, options: string): InvalidTransitionError {
  return new InvalidTransitionError(`${text}; sf runs cancel ${runId}${options} stops it`, {
    details: { reason: "driven", runId },
  });
}

function howToSee(runId: string, options: string): string {
  return `sf runs show ${runId} --events --follow${options}`;
}
