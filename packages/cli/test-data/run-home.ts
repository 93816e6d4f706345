// A home in which agents run: each in a process of its own, which lives on, has ended, or was killed.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { withPackages } from "../../../tests/installed/start-installed.ts";
import type { DrivenRun } from "./drive-run.ts";
import type { Saying } from "./run-model.ts";
import { bareEnv, type Home, notesPack, Started } from "./run-sf.ts";

const program = join(import.meta.dirname, "drive-run.ts");
export const modelFile = join(import.meta.dirname, "run-model.ts");

export const usual = "home/.local/share/simplefunctions";
export const writer = { maxSideEffect: "user_write" } as const;
export const asking = { ...writer, approvals: { requireForSideEffectAtOrAbove: "user_write" } } as const;

export const adding = (text: string) => ({ name: "notes.add", args: { text } });

export type GivenRun = Partial<Omit<DrivenRun, "objective">> & { readonly script: readonly Saying[] };
export type StartedRun = { readonly runId: string; readonly process: Started };

/** A run that has come to rest, or to its end, in a process that lives on unless it is to leave. */
export async function startRun(home: Home, { script, ...given }: GivenRun): Promise<StartedRun> {
  const run: DrivenRun = {
    folder: home.path(usual),
    pack: notesPack,
    policy: asking,
    ...given,
    objective: JSON.stringify(script),
  };
  const child = spawn(process.execPath, [...withPackages, program, JSON.stringify(run)], {
    cwd: home.folder,
    env: { ...bareEnv, ...home.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const started = new Started(child);
  await started.says("run run_");
  await Promise.race([started.says("rests ").catch(() => undefined), started.ended]);
  return { runId: /run (run_\S+)/.exec(started.said)?.[1] ?? "", process: started };
}

/** One that waits for a person, and that nobody drives any more. */
export async function leftRun(home: Home, given: Partial<GivenRun> = {}): Promise<string> {
  const { runId, process: started } = await startRun(home, {
    script: [[adding("milk")], "written"],
    isLeft: true,
    ...given,
  });
  await started.ended;
  return runId;
}

/** What a run is taken on with. */
export function resuming(runId: string, ...more: readonly string[]): string[] {
  return ["runs", "resume", runId, "--pack", notesPack, "--model", modelFile, ...more];
}
