// One command: read, checked, and run where it can do no harm. Whether it ended by itself, ran out of time or printed too much, its effect
// is complete, and the answer says which; a command that was refused was never started.
import { CancelledError, isSimpleFunctionsError } from "@spfunctions/contracts";
import { checkCommand, type ShellCommand } from "./check-command.ts";
import { locateProgram, lookAtProgram, type Program, systemFolders, versionOf } from "./locate-program.ts";
import { type MountBelow, mountsToHide } from "./mounts-below.ts";
import { readCommand } from "./read-command.ts";
import { rootInside } from "./sandbox-arguments.ts";
import { refusal } from "./refusal.ts";
import type { SandboxLimits } from "./sandbox-limits.ts";
import { openSandbox } from "./sandbox-state.ts";

export type ShellRequest = { readonly cmd: string; readonly timeout_s: number };

export type ShellResult = {
  /** null where it was stopped, and has none. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** It printed more than this, and was stopped there. */
  readonly truncated: boolean;
  /** It was stopped when its time was over. */
  readonly timedOut: boolean;
  readonly durationMs: number;
  readonly sandbox: "full";
};

export type ShellHost = {
  readonly root: { readonly path: string; readonly requireApart: () => void };
  readonly commands: readonly ShellCommand[];
  readonly limits: SandboxLimits;
  /** What is mounted below the root is hidden unless this says `follow`; the kernel's own always is. */
  readonly mounts?: "refuse" | "follow" | undefined;
  readonly folders?: readonly string[] | undefined;
};

type Watching = {
  readonly signal: AbortSignal;
  /** Milliseconds that the call may take in all. */
  readonly timeoutMs: number;
  readonly progress: (message: string) => void;
};

/** Stopping a command and telling about it takes a part of the call's own time. */
const stoppingMs = 500;

export async function execCommand(
  host: ShellHost,
  { cmd, timeout_s }: ShellRequest,
  { signal, timeoutMs, progress }: Watching,
): Promise<ShellResult> {
  const argv = readCommand(cmd);
  const command = checkCommand(argv, host.commands);
  host.root.requireApart();
  const sandbox = await openSandbox(host);
  if ("reason" in sandbox)
    throw refusal("sandbox_off", `no command runs without its sandbox: ${sandbox.reason}; ${sandbox.remedy}`);
  progress("sandbox full");
  const program = await programFor(command);
  if (signal.aborted) throw stoppedBy(signal);
  const begun = performance.now();
  const ms = Math.max(1, Math.min(timeout_s * 1000, timeoutMs - stoppingMs));
  const started = sandbox.start({
    root: host.root.path,
    program,
    words: argv.slice(1),
    hidden: hiddenFor(host),
    // Its own clock is the second, and never the first.
    timeoutS: Math.ceil(ms / 1000) + 1,
  });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    started.stop();
  }, ms);
  signal.addEventListener("abort", started.stop);
  try {
    const end = await started.ended;
    if (signal.aborted) throw stoppedBy(signal);
    if ("failure" in end)
      throw refusal(
        "sandbox_failed",
        // Where the root lies is nothing for whoever calls.
        `the sandbox failed, and nothing was started: ${end.failure.replaceAll(host.root.path, rootInside)}`,
        end.cause,
      );
    const durationMs = Math.round(performance.now() - begun);
    // What had come to its end in the same moment was not stopped.
    return { ...end, timedOut: timedOut && end.exitCode === null, durationMs, sandbox: "full" };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", started.stop);
  }
}

function hiddenFor({ root, mounts = "refuse" }: ShellHost): readonly MountBelow[] {
  try {
    return mountsToHide(root.path, mounts);
  } catch (cause) {
    throw refusal(
      "sandbox_failed",
      "what is mounted below the root cannot be read from /proc, and nothing was started",
      cause,
    );
  }
}

function stoppedBy({ reason }: AbortSignal): Error {
  return isSimpleFunctionsError(reason)
    ? reason
    : new CancelledError("shell.exec: cancelled; the command was stopped");
}

const programs = new Map<ShellCommand, Promise<Program>>();

/** Looked at once. What was not there is looked for again. */
function programFor(command: ShellCommand): Promise<Program> {
  const known = programs.get(command);
  if (known !== undefined) return known;
  const found = findProgram(command);
  programs.set(command, found);
  found.catch(() => programs.delete(command));
  return found;
}

async function findProgram(command: ShellCommand): Promise<Program> {
  const path = locateProgram(command);
  if (path === undefined)
    throw refusal(
      "command_not_here",
      `${command} is not installed in ${systemFolders.join(" or ")} of this machine`,
    );
  const [program, version] = await Promise.all([lookAtProgram(command, path), versionOf(path)]).catch(
    (cause: unknown) => {
      throw refusal("sandbox_failed", `${command} of this machine cannot be looked at`, cause);
    },
  );
  if (/\bGNU\b/.test(version) || (command === "file" && version.startsWith("file-"))) return program;
  throw refusal(
    "command_not_here",
    `${command} of this machine is not GNU's, and the rules for its arguments are; install GNU's`,
  );
}
