import { openSync, readdirSync, readFileSync } from "node:fs";

const closesOnExec = 0o2_000_000;

/**
 * What a child gets in the place of each open file that this process was itself started with and would pass on: /dev/null. (What Node opens
 * is passed to nobody; of what it inherits it sees only the first few.)
 */
export function coveredDescriptors(): readonly (number | "ignore")[] {
  return (covered ??= cover());
}

let covered: readonly (number | "ignore")[] | undefined;

function cover(): readonly (number | "ignore")[] {
  const inherited = readdirSync("/proc/self/fd").map(Number).filter(isPassedOn);
  if (inherited.length === 0) return [];
  const nothing = openSync("/dev/null", "r+");
  const all = Array.from({ length: Math.max(...inherited) - 2 }, (_, at) => at + 3);
  return all.map((descriptor) => (inherited.includes(descriptor) ? nothing : "ignore"));
}

function isPassedOn(descriptor: number): boolean {
  if (descriptor < 3) return false;
  try {
    const [, flags = "0"] =
      /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8")) ?? [];
    return (Number.parseInt(flags, 8) & closesOnExec) === 0;
  } catch {
    // The one with which the folder itself was read.
    return false;
  }
}
