import { CancelledError, exitCodes } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { Check } from "./check.ts";
import { configChecks } from "./config-checks.ts";
import { dataChecks } from "./data-checks.ts";
import type { DoctorOptions } from "./doctor-options.ts";
import { modelCheck } from "./model-check.ts";
import { platformChecks } from "./platform-checks.ts";
import { printCheck, printSummary } from "./print-checks.ts";
import { programChecks } from "./program-checks.ts";
import { filesCheck, sandboxCheck } from "./sandbox-check.ts";
import { terminalCheck } from "./terminal-check.ts";

/** Looks at everything, in the order in which one thing stands on another. Nothing is made or changed. */
export async function doctor(
  options: DoctorOptions,
  version: string,
  context: CommandContext,
): Promise<number> {
  const { io, print } = context;
  const checks: Check[] = [];
  try {
    for await (const check of allChecks(options, version, context)) {
      io.signal.throwIfAborted();
      checks.push(check);
      if (options.json !== true) printCheck(print, check);
    }
  } catch (error) {
    if (!io.signal.aborted) throw error;
    throw new CancelledError("cancelled; nothing was changed");
  }
  const ok = checks.every(({ status }) => status !== "fail");
  if (options.json === true) print.json({ ok, checks }, 2);
  else printSummary(print, checks);
  return ok ? exitCodes.done : exitCodes.failed;
}

async function* allChecks(
  options: DoctorOptions,
  version: string,
  context: CommandContext,
): AsyncGenerator<Check> {
  yield* programChecks(version, context.io);
  yield terminalCheck(context.io);
  yield modelCheck(context.io);
  yield await filesCheck();
  yield await sandboxCheck();
  yield* configChecks(context.io);
  yield* dataChecks(options, context);
  yield* platformChecks(options, context);
}
