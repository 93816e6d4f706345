// Why a sandbox cannot be had, and what a person can do about it. bwrap says which step the kernel refused; the settings say who told it to.
import { readFileSync } from "node:fs";

export type Off = { readonly reason: string; readonly remedy: string };

export const notLinux: Off = {
  reason: "the sandbox needs Linux",
  remedy: "run this program on Linux, or in a Linux container or virtual machine",
};

const packageOf: Readonly<Record<string, string>> = {
  bwrap: "bubblewrap",
  prlimit: "util-linux",
  timeout: "coreutils",
  tail: "coreutils",
  sort: "coreutils",
};

export function notInstalled(name: string): Off {
  const debian = packageOf[name] ?? name;
  return {
    reason: `${name} is not installed in /usr/bin`,
    remedy: `install it: apt-get install ${debian} (on other systems than Debian the package may have another name)`,
  };
}

const containerRemedy =
  "in a container, start it so that user namespaces can be made in it (Docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined), or run this program outside of it";

const settings: readonly (readonly [file: string, forbids: string, remedy: string])[] = [
  ["kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"],
  ["user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=10000"],
  [
    "kernel/apparmor_restrict_unprivileged_userns",
    "1",
    "give bwrap an AppArmor profile that has the line `userns,` (/etc/apparmor.d/bwrap), or sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
  ],
];

/** Reads what was printed by whoever gave up. */
export function whyOff(said: string, setting = readSetting): Off {
  const line = said.split("\n").find((each) => /^(?:bwrap|prlimit|timeout): /.test(each)) ?? said;
  if (isShort.test(line))
    return {
      reason: `the sandbox does not start just now (${line})`,
      remedy:
        "open files, processes or memory are short: call again when less is going on, or raise this program's limits (ulimit -a)",
    };
  if (/unknown option/i.test(line))
    return { reason: `this bubblewrap is too old (${line})`, remedy: "install bubblewrap 0.8 or newer" };
  if (/^(?:prlimit|timeout): /.test(line))
    return {
      reason: `the limits of a command cannot be kept here (${line})`,
      remedy:
        "this program has lower limits itself, or the kernel counts all processes of its user: change that (ulimit -H -a), or the tool's limits",
    };
  if (isForbidden.test(line)) {
    const remedies = settings
      .filter(([file, forbids]) => setting(file) === forbids)
      .map(([, , each]) => each);
    return {
      reason: `the machine does not let this user make namespaces (${line})`,
      remedy: remedies.length > 0 ? `as root: ${remedies.join("; ")}` : containerRemedy,
    };
  }
  return {
    reason: `the sandbox does not start (${line})`,
    remedy: `see what bwrap says; ${containerRemedy}`,
  };
}

/** What Node says where it cannot start anything. */
const isShort = /\b(?:EMFILE|ENFILE|EAGAIN|ENOMEM)\b|too many open files/;

const isForbidden =
  /^bwrap: .*(?:namespace|uid map|gid map|setgroups|RTM_NEW|Operation not permitted|Permission denied)/i;

function readSetting(file: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${file}`, "utf8").trim();
  } catch {
    return undefined;
  }
}
