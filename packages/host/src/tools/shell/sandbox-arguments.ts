// What the sandbox consists of. Inside there is one program with its libraries, the two that limit it, /dev/null, an empty /tmp and the root;
// no other program, no shell, no /proc, no /etc, no network, nobody else's processes, and of the environment four names.
//
// Whoever starts it gives it a session; one more of its own would take it out of the process group by which it is ended, and what bwrap was
// still preparing would be missed. Should whoever started it be killed, the kernel ends it as well, but for what was being prepared at that
// very moment: that comes to its end by `timeout`.
import type { Program } from "./locate-program.ts";
import type { MountBelow } from "./mounts-below.ts";
import type { SandboxLimits } from "./sandbox-limits.ts";

/** Where the root is to be seen inside. */
export const rootInside = "/sandbox";

export const environmentInside: Readonly<Record<string, string>> = {
  PATH: "/usr/bin",
  LANG: "C.UTF-8",
  HOME: rootInside,
  TZ: "UTC",
};

/** An id that says nothing about whose process this is. */
const ownerInside = "1000";

type Limiters = { readonly prlimit: Program; readonly timeout: Program };

export type SandboxedCommand = {
  readonly root: string;
  readonly program: Program;
  readonly limiters: Limiters;
  readonly limits: SandboxLimits;
  /** Seconds after which it is over also where nobody is left to end it. */
  readonly timeoutS: number;
  readonly words: readonly string[];
  /** What is mounted below the root and not to be seen. */
  readonly hidden?: readonly MountBelow[] | undefined;
};

/** The arguments of `bwrap` for one command. */
export function sandboxArguments(given: SandboxedCommand): string[] {
  const { root, program, limiters, limits, timeoutS, words, hidden = [] } = given;
  const programs = [limiters.prlimit, limiters.timeout, program];
  const needs = new Set(programs.flatMap((each) => each.needs));
  return [
    ["--unshare-all", "--unshare-user", "--uid", ownerInside, "--gid", ownerInside],
    ["--as-pid-1", "--die-with-parent", "--cap-drop", "ALL", "--hostname", "sandbox", "--clearenv"],
    ...Object.entries(environmentInside).map(([name, value]) => ["--setenv", name, value]),
    ...programs.map(({ path, name }) => ["--ro-bind", path, `/usr/bin/${name}`]),
    ...Array.from(needs, (path) => ["--ro-bind", path, path]),
    ["--dev-bind", "/dev/null", "/dev/null"],
    ["--size", `${limits.tmpBytes}`, "--tmpfs", "/tmp"],
    ["--bind", root, rootInside],
    ...hidden.map((mount) => coverArguments(mount)),
    ["--remount-ro", "/", "--chdir", rootInside],
    ["--", "prlimit", ...limitArguments(limits), "--"],
    ["timeout", "--foreground", "--signal=KILL", `${timeoutS}`, program.name, ...words],
  ].flat();
}

/** In its place stands what nobody may open: a folder without any rights, or a device where there are none. */
function coverArguments({ below, isFolder }: MountBelow): string[] {
  const place = `${rootInside}/${below}`;
  return isFolder
    ? ["--perms", "0000", "--tmpfs", place, "--remount-ro", place]
    : ["--ro-bind", "/dev/null", place];
}

function limitArguments(limits: SandboxLimits): string[] {
  return [
    `--as=${limits.memoryBytes}`,
    `--cpu=${limits.cpuS}`,
    `--fsize=${limits.fileBytes}`,
    `--nofile=${limits.openFiles}`,
    `--nproc=${limits.processes}`,
    "--core=0",
  ];
}
