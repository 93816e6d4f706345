import { readFileSync } from "node:fs";

/** What tells a process from another that has its number later; nothing where that cannot be seen. */
export function processMark(pid: number): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    // Behind its name, which can be anything, the first says how it is and the twentieth when it began.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // One that was killed is seen until its parent has asked for its end; what it listened on is free.
    const hasEnded = /^[ZX]/i.test(fields[0] ?? "");
    return hasEnded || fields[19] === undefined ? undefined : `${boot} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Whether there is a process of this number that is this person's, and it is the one that was marked. */
export function isThere(pid: number, mark: string | undefined): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return processMark(pid) === mark;
}
