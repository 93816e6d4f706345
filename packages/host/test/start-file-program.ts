import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Runs one of the file programs until the test has ended, and returns once it has said something. */
export async function startFileProgram(
  program: string,
  args: readonly string[],
): Promise<{ readonly child: ChildProcess; readonly said: unknown }> {
  const child = fork(join(import.meta.dirname, "file-programs", program), args, {
    execArgv: ["--conditions=source", "--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = (await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`${program} ended with ${code}`))),
  ])) as [unknown];
  return { child, said };
}
