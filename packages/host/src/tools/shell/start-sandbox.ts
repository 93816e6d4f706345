// One sandbox, from its start until nothing of it is left. bwrap leads a process group of its own; what runs inside dies with it, and it
// dies with this process.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { CapturedText } from "./captured-text.ts";
import { coveredDescriptors } from "./inherited-descriptors.ts";
import { refusal } from "./refusal.ts";

type SandboxEnd = {
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
  /** When nothing of it is left. Throws `sandbox_denied` where the command was never started. */
  readonly ended: Promise<SandboxEnd>;
};

export function startSandbox(
  bwrap: string,
  words: readonly string[],
  { outputBytes }: { readonly outputBytes: number },
): StartedSandbox {
  const child = spawnIn(bwrap, words);
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
  const ended = new Promise<SandboxEnd>((resolve, reject) => {
    child.once("error", (cause) => reject(notStarted(cause.message, cause)));
    child.once("close", (code) => {
      heard.resolve();
      const [stdout = "", stderr = ""] = streams.map(({ text }) => text.toString());
      const truncated = streams.some(({ text }) => text.isCut);
      if (!isStopped && hasFailed(code, stderr)) reject(notStarted(stderr.trim()));
      else resolve({ exitCode: isStopped ? null : code, stdout, stderr, truncated });
    });
  });
  // Whoever only listens for the first word is not told here that it failed.
  ended.catch(() => heard.resolve());
  return { pid: pid ?? 0, stop, heard: heard.promise, ended };
}

function spawnIn(bwrap: string, words: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
  try {
    return spawn(bwrap, words, {
      env: {},
      cwd: "/",
      detached: true,
      stdio: ["ignore", "pipe", "pipe", ...coveredDescriptors()],
    }) as ChildProcessByStdio<null, Readable, Readable>;
  } catch (cause) {
    throw notStarted(cause instanceof Error ? cause.message : "it could not be started", cause);
  }
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

function notStarted(why: string, cause?: unknown) {
  return refusal("sandbox_failed", `the command was not started: the sandbox failed: ${why}`, cause);
}
