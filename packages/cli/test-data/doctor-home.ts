// What `sf doctor` says of a home, and what the home is made of before and after.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CliIo } from "../src/index.ts";
import type { Home } from "./run-sf.ts";

export type Said = {
  readonly check: string;
  readonly status: "ok" | "warn" | "fail";
  readonly where?: string;
  readonly what: string;
  readonly todo?: string;
  readonly facts?: Readonly<Record<string, unknown>>;
};

export type Doctored = { readonly code: number; readonly err: string; readonly checks: readonly Said[] };

export async function doctored(
  home: Home,
  argv: readonly string[] = [],
  given: Partial<CliIo> = {},
): Promise<Doctored> {
  const { code, out, err } = await home.run(["doctor", "--json", ...argv], given);
  const { ok, checks } = JSON.parse(out) as { readonly ok: boolean; readonly checks: readonly Said[] };
  if (ok !== (code === 0)) throw new Error(`it says ${ok} and exits with ${code}`);
  return { code, err, checks };
}

/** What it says of one thing. */
export function saidOf({ checks }: Doctored, name: string): Said[] {
  return checks.filter(({ check }) => check === name);
}

/** Everything that is not as it should be. */
export function troubles({ checks }: Doctored): string[] {
  return (
    checks
      // Whether a machine has a sandbox is the machine's own.
      .filter(({ status, check }) => status !== "ok" && check !== "sandbox" && check !== "files")
      .map(({ status, check, what }) => `${status} ${check}: ${what}`)
  );
}

/** Every file with its bytes, its mode and the time of its last change. SQLite's shared memory is no file of anybody. */
export function everythingIn(folder: string): Record<string, string> {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => !name.endsWith("-shm"),
  );
  return Object.fromEntries(
    found.toSorted().map((name) => {
      const path = join(folder, name);
      const { mode, mtimeMs } = lstatSync(path);
      if (!lstatSync(path).isFile()) return [name, `${mode}`];
      return [name, `${mode} ${mtimeMs} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`];
    }),
  );
}
