// What is mounted below a root: a disk, a share or a /proc that may hold what nobody meant. The kernel lists it.
import { lstatSync, readFileSync, type Stats } from "node:fs";

export type MountBelow = {
  /** The way to it from the root. */
  readonly below: string;
  readonly isFolder: boolean;
};

/** What is no files but the kernel talking. */
const kernelsOwn = new Set(
  "proc sysfs cgroup cgroup2 debugfs tracefs securityfs bpf configfs selinuxfs efivarfs pstore binfmt_misc nsfs".split(
    " ",
  ),
);

/** Those that a command is not to see: all of them, or the kernel's own. What lies in another of them is seen no more either. */
export function mountsToHide(root: string, mounts: "refuse" | "follow", table = readTable()): MountBelow[] {
  const base = root === "/" ? root : `${root}/`;
  const places = table
    .split("\n")
    .flatMap((line) => {
      const [, place = "", type = ""] = /^(?:\S+ ){4}(\S+) .* - (\S+)/.exec(line) ?? [];
      return mounts === "refuse" || kernelsOwn.has(type) ? [unescaped(place)] : [];
    })
    .filter((place) => place.startsWith(base) && place !== base);
  const outermost = places.filter((place) => !places.some((other) => place.startsWith(`${other}/`)));
  return Array.from(new Set(outermost)).flatMap((place) => {
    const stat = lookAt(place, base);
    return stat === undefined ? [] : [{ below: place.slice(base.length), isFolder: stat.isDirectory() }];
  });
}

function readTable(): string {
  return readFileSync("/proc/self/mountinfo", "utf8");
}

/** Blanks, line breaks and backslashes are written as numbers. */
function unescaped(place: string): string {
  return place.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

/** Nothing where a command could not reach it either: it has our user and our groups, and no power of root's to pass every folder. */
function lookAt(place: string, base: string): Stats | undefined {
  try {
    const isAnybody = process.geteuid?.() !== 0;
    const names = place.slice(base.length).split("/");
    const folders = names.map((_, at) => `${base}${names.slice(0, at).join("/")}`);
    return isAnybody || folders.every((folder) => isPassable(lstatSync(folder)))
      ? lstatSync(place)
      : undefined;
  } catch {
    return undefined;
  }
}

function isPassable({ uid, gid, mode }: Stats): boolean {
  if (uid === process.geteuid?.()) return (mode & 0o100) !== 0;
  const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
  return (mode & (groups.includes(gid) ? 0o010 : 0o001)) !== 0;
}
