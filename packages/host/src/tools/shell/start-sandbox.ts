// One sandbox, from its start until nothing of it is left. bwrap leads a process group of its own; what runs inside dies with it, and it
// dies with this process.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { CapturedText } from "./captured-text.ts";
import { coveredDescriptors } from "./inherited-descriptors.ts";

/** How it ended, or why it never began. */
type SandboxEnd = CommandEnd | { readonly failure: string; readonly cause?: unknown };

type CommandEnd = {
  /** Of the command; 128 and more where a signal ended it; null where it was stopped. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
};

export type StartedSandbox = {
  readonly pid: number;
  /** Ends it and everything in it, at once. */
  readonly stop: () => void;
  /** When it has printed its first words (not those of its errors), or ended. */
  readonly heard: Promise<unknown>;
  /** When nothing of it is left. */
  readonly ended: Promise<SandboxEnd>;
};

export function startSandbox(
  bwrap: string,
  words: readonly string[],
  { outputBytes }: { readonly outputBytes: number },
): StartedSandbox {
  const child = spawned(bwrap, words);
  if (child instanceof Error) return neverStarted(child);
  const { pid } = child;
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    // What has ended by itself has a number no more that is its own.
    if (pid !== undefined && child.exitCode === null && child.signalCode === null) killGroup(pid);
  };
  const streams = [child.stdout, child.stderr].map((stream) => ({
    stream,
    text: new CapturedText(outputBytes),
  }));
  const heard = Promise.withResolvers<void>();
  for (const { stream, text } of streams) {
    stream.on("data", (piece: Buffer) => {
      if (stream === child.stdout) heard.resolve();
      text.take(piece);
      if (text.isCut && !isStopped) stop();
    });
  }
  const ended = new Promise<SandboxEnd>((resolve) => {
    child.once("error", (cause) => resolve({ failure: cause.message, cause }));
    child.once("close", (code) => {
      const [stdout = "", stderr = ""] = streams.map(({ text }) => text.toString());
      const truncated = streams.some(({ text }) => text.isCut);
      if (!isStopped && hasFailed(code, stderr)) resolve({ failure: stderr.trim() });
      else resolve({ exitCode: isStopped ? null : code, stdout, stderr, truncated });
    });
  });
  return { pid: pid ?? 0, stop, heard: Promise.race([heard.promise, ended]), ended };
}

/** Some errors are thrown, some are told later; where no file can be opened any more, there are not even streams. */
function spawned(
  bwrap: string,
  words: readonly string[],
): ChildProcessByStdio<null, Readable, Readable> | Error {
  try {
    const child = spawn(bwrap, words, {
      env: {},
      cwd: "/",
      detached: true,
      stdio: ["ignore", "pipe", "pipe", ...coveredDescriptors()],
    });
    if (child.stdout !== undefined) return child as ChildProcessByStdio<null, Readable, Readable>;
    child.once("error", () => undefined);
    return new Error("this program has too many open files");
  } catch (cause) {
    return cause instanceof Error ? cause : new Error("it cannot be spawned", { cause });
  }
}

function neverStarted(cause: Error): StartedSandbox {
  const ended = Promise.resolve({ failure: cause.message, cause });
  return { pid: 0, stop: () => undefined, heard: ended, ended };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** No command on the list says this of itself: it was bwrap, what limits the command, or the loader that gave up. */
function hasFailed(code: number | null, stderr: string): boolean {
  return code === 125 || code === 126 || code === 127 || (code === 1 && /^(?:bwrap|prlimit): /.test(stderr));
}
