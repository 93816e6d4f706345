// The sandbox is what it says after it has been tried, with the arguments of every later call: one command looks out of it while the
// kernel is asked what that command has, another writes.
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { locateProgram, lookAtProgram, type Program, versionOf } from "./locate-program.ts";
import { innermostOf, lookAtProcess, type SeenProcess } from "./look-at-process.ts";
import {
  environmentInside,
  rootInside,
  sandboxArguments,
  type SandboxedCommand,
} from "./sandbox-arguments.ts";
import type { SandboxLimits } from "./sandbox-limits.ts";
import { notInstalled, notLinux, type Off, whyOff } from "./sandbox-remedy.ts";
import { startSandbox, type StartedSandbox } from "./start-sandbox.ts";

/** A sandbox that has been tried. */
export type Sandbox = {
  readonly version: string;
  readonly limits: SandboxLimits;
  readonly start: (command: CommandToStart) => StartedSandbox;
};

type CommandToStart = Pick<SandboxedCommand, "root" | "program" | "words" | "timeoutS" | "hidden">;

const probeS = 10;

export async function probeSandbox(
  folders: readonly string[],
  limits: SandboxLimits,
): Promise<Sandbox | Off> {
  if (process.platform !== "linux") return notLinux;
  const names = ["bwrap", "prlimit", "timeout", "tail", "sort"] as const;
  const paths = names.map((name) => locateProgram(name, folders));
  const missing = names.find((_, at) => paths[at] === undefined);
  if (missing !== undefined) return notInstalled(missing);
  const [bwrap = "", ...inside] = paths as string[];
  try {
    const [version, ...programs] = await Promise.all([
      versionOf(bwrap),
      ...inside.map((path, at) => lookAtProgram(names[at + 1] ?? "", path)),
    ]);
    const [prlimit, timeout, tail, sort] = programs as [Program, Program, Program, Program];
    const start: Sandbox["start"] = (command) =>
      startSandbox(bwrap, sandboxArguments({ ...command, limits, limiters: { prlimit, timeout } }), limits);
    return (await tryOut({ start, tail, sort, limits })) ?? { version, limits, start };
  } catch (error) {
    return whyOff(error instanceof Error ? error.message : String(error));
  }
}

type Trial = Pick<Sandbox, "start" | "limits"> & { readonly tail: Program; readonly sort: Program };

/** Why it cannot be used, if it cannot. */
async function tryOut(trial: Trial): Promise<Off | undefined> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "sf-sandbox-")));
  try {
    const [root, outside, token] = [join(base, "root"), join(base, "outside"), randomUUID()];
    mkdirSync(root);
    writeFileSync(outside, `outside ${token}`);
    writeFileSync(join(root, "inside"), `inside ${token}`);
    return (await look(trial, { root, outside, token })) ?? (await write(trial, { root, token }));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

type Place = { readonly root: string; readonly outside: string; readonly token: string };

/** A command that shows what it can read of all this, and then waits. */
async function look(
  { start, tail, limits }: Trial,
  { root, outside, token }: Place,
): Promise<Off | undefined> {
  const hidden = [outside, "/etc/passwd", "/proc/self/environ", process.execPath];
  const started = start({
    root,
    program: tail,
    words: ["-q", "-f", "-c", "100", "--", ...hidden, `${rootInside}/inside`],
    timeoutS: probeS,
  });
  const timer = setTimeout(started.stop, probeS * 1000);
  try {
    await started.heard;
    const seen = seenIn(started.pid);
    started.stop();
    const end = await started.ended;
    if ("failure" in end) return whyOff(end.failure);
    if (end.stdout === "") return broken("its root cannot be read in it");
    if (end.stdout !== `inside ${token}`) return broken("files outside of it can be read in it");
    const hole = seen instanceof Error ? seen.message : holeIn(seen, limits);
    return hole === undefined ? undefined : broken(hole);
  } finally {
    clearTimeout(timer);
  }
}

function seenIn(pid: number): SeenProcess | Error {
  try {
    return lookAtProcess(innermostOf(pid));
  } catch (error) {
    return new Error("what runs in it cannot be looked at through /proc", { cause: error });
  }
}

function holeIn(seen: SeenProcess, limits: SandboxLimits): string | undefined {
  const { environment, interfaces, sharedNamespaces, writable, openFiles, hasPowers, memoryBytes } = seen;
  // bwrap itself says where it went.
  const known = new Set([...Object.keys(environmentInside), "PWD"]);
  const strange = environment.filter((name) => !known.has(name));
  if (strange.length > 0) return `variables of this program are set in it (${strange.join(", ")})`;
  if (interfaces.join() !== "lo") return `it has a network (${interfaces.join(", ")})`;
  if (sharedNamespaces.length > 0) return `it shares namespaces (${sharedNamespaces.join(", ")})`;
  const places = writable.filter((place) => ![rootInside, "/tmp", "/dev/null"].includes(place));
  if (places.length > 0) return `it can be written to in other places than its root (${places.join(", ")})`;
  if (hasPowers) return "it has powers of root";
  if (memoryBytes !== `${limits.memoryBytes}`) return "its memory has no limit";
  const open = openFiles.filter((file) => !/^\/dev\/null$|^anon_inode:|\/inside$/.test(file));
  return open.length > 0 ? `files of this program are open in it (${open.join(", ")})` : undefined;
}

/** A command that writes to its root. */
async function write(
  { start, sort }: Trial,
  { root, token }: Omit<Place, "outside">,
): Promise<Off | undefined> {
  const started = start({
    root,
    program: sort,
    words: ["-o", `${rootInside}/written`, "--", `${rootInside}/inside`],
    timeoutS: probeS,
  });
  const timer = setTimeout(started.stop, probeS * 1000);
  const end = await started.ended.finally(() => clearTimeout(timer));
  if ("failure" in end) return whyOff(end.failure);
  if (wasWritten(join(root, "written"), token)) return undefined;
  return broken(`its root cannot be written to in it (${end.stderr.trim()})`);
}

function wasWritten(file: string, token: string): boolean {
  try {
    return readFileSync(file, "utf8") === `inside ${token}\n`;
  } catch {
    return false;
  }
}

function broken(why: string): Off {
  return {
    reason: `the sandbox was tried and does not hold: ${why}`,
    remedy: "reinstall bubblewrap from the system's packages, and see that nothing stands in its place",
  };
}
