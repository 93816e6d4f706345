// A process as the kernel shows it from outside: what it says of itself is not asked for.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export type SeenProcess = {
  readonly environment: readonly string[];
  readonly interfaces: readonly string[];
  /** Of its namespaces, those that are also ours. */
  readonly sharedNamespaces: readonly string[];
  /** The places where something is mounted so that it can be written to. */
  readonly writable: readonly string[];
  /** Its open files but the first three, by where they lead. */
  readonly openFiles: readonly string[];
  readonly hasPowers: boolean;
  readonly memoryBytes: string | undefined;
};

/** The last of those that a process has started, one by the other. */
export function innermostOf(pid: number): number {
  const child = readdirSync("/proc").find((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return child === undefined ? pid : innermostOf(Number(child));
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}

export function lookAtProcess(pid: number): SeenProcess {
  const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, "utf8");
  const namespaces = ["ipc", "mnt", "net", "pid", "user", "uts"];
  const status = read("status");
  const powers = Array.from(status.matchAll(/^Cap\w+:\s*([0-9a-f]+)/gm), ([, bits]) => bits ?? "");
  return {
    environment: read("environ")
      .split("\0")
      .filter((entry) => entry !== "")
      .map((entry) => entry.split("=")[0] ?? ""),
    interfaces: Array.from(read("net/dev").matchAll(/^\s*(\S+):/gm), ([, name = ""]) => name),
    sharedNamespaces: namespaces.filter(
      (name) => readlinkSync(`/proc/${pid}/ns/${name}`) === readlinkSync(`/proc/self/ns/${name}`),
    ),
    writable: Array.from(read("mountinfo").matchAll(/^(?:\S+ ){4}(\S+) rw[ ,]/gm), ([, place = ""]) => place),
    openFiles: readdirSync(`/proc/${pid}/fd`)
      .filter((descriptor) => Number(descriptor) > 2)
      .map((descriptor) => readlinkSync(`/proc/${pid}/fd/${descriptor}`)),
    hasPowers:
      powers.length === 0 || powers.some((bits) => /[^0]/.test(bits)) || !/^NoNewPrivs:\s*1$/m.test(status),
    memoryBytes: /^Max address space\s+(\S+)/m.exec(read("limits"))?.[1],
  };
}
