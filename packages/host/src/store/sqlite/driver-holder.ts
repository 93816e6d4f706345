import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { parseJsonStrict } from "@spfunctions/contracts";

/** Which process drives a data folder, so exactly that another can tell whether it still lives. */
export type Holder = {
  readonly pid: number;
  /** When the process started, in ticks since boot: a pid alone is given again. */
  readonly startTime?: string;
  readonly bootId?: string;
  readonly pidNamespace?: string;
  readonly token: string;
};

export function thisProcess(): Holder {
  const startTime = statOf(process.pid)?.startTime;
  const bootId = tried(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const pidNamespace = tried(() => readlinkSync("/proc/self/ns/pid"));
  return {
    pid: process.pid,
    ...(startTime === undefined ? {} : { startTime }),
    ...(bootId === undefined ? {} : { bootId }),
    ...(pidNamespace === undefined ? {} : { pidNamespace }),
    token: randomUUID(),
  };
}

/** The holder that was written down, or nothing where it cannot be read. */
export function holderIn(text: string): Holder | undefined {
  const value = tried(() => parseJsonStrict(text));
  if (typeof value !== "object" || value === null || !("pid" in value)) return undefined;
  return Number.isSafeInteger(value.pid) && Number(value.pid) > 0 ? (value as Holder) : undefined;
}

/**
 * True only where it is certain: another boot, or no such process on this one. Of a process in another pid namespace nothing
 * is known.
 */
export function isDead(holder: Holder, here: Holder): boolean {
  if (holder.bootId !== undefined && here.bootId !== undefined && holder.bootId !== here.bootId) return true;
  if (holder.pidNamespace !== here.pidNamespace) return false;
  if (!exists(holder.pid)) return true;
  const found = statOf(holder.pid);
  if (found === undefined) return false;
  const isOther = holder.startTime !== undefined && found.startTime !== holder.startTime;
  return isOther || found.hasEnded;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** A name can have spaces and brackets in it, so the fields are counted from its closing bracket. */
function statOf(pid: number): { readonly startTime: string; readonly hasEnded: boolean } | undefined {
  const stat = tried(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  const startTime = fields?.[19];
  // A process that was killed stays visible until its parent has asked for its end; its files are closed.
  return startTime === undefined ? undefined : { startTime, hasEnded: /^[ZX]/i.test(fields?.[0] ?? "") };
}

function tried<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
