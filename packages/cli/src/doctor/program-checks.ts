import { nearest } from "@spfunctions/contracts";
import { DatabaseSync } from "node:sqlite";
import type { CliIo } from "../io/cli-io.ts";
import { type Check, fail, failed, ok, warn } from "./check.ts";
import { environmentVariables } from "./environment-variables.ts";

/** What this program runs on, and what it is told by its environment. */
export function programChecks(version: string, { env }: Pick<CliIo, "env">): Check[] {
  return [nodeCheck(), programCheck(version), sqliteCheck(), environmentCheck(env)];
}

const oldest = [22, 18] as const;

function nodeCheck(): Check {
  const about = { check: "node", facts: { version: process.version } };
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return ok(about, process.version);
  return fail(about, `${process.version} is too old`, `install Node ${oldest.join(".")} or newer`);
}

function programCheck(version: string): Check {
  const form = import.meta.url.endsWith(".ts") ? "source" : "built";
  return ok(
    { check: "sf", facts: { version, form } },
    `${version}, ${form === "built" ? form : "from its sources"}`,
  );
}

function sqliteCheck(): Check {
  const version = process.versions.sqlite ?? "unknown";
  const about = { check: "sqlite", facts: { version } };
  try {
    const database = new DatabaseSync(":memory:");
    try {
      database.exec("CREATE VIRTUAL TABLE words USING fts5(text)");
    } finally {
      database.close();
    }
  } catch (error) {
    return failed(about, error, "use a Node whose SQLite has FTS5, as those from nodejs.org have");
  }
  return ok(about, `${version}, with full-text search (FTS5)`);
}

/** Names alone: what they hold may be secret. */
function environmentCheck(env: CliIo["env"]): Check {
  const names = Object.keys(env)
    .filter((name) => name.startsWith("SF_") && env[name] !== undefined)
    .toSorted();
  const about = { check: "environment", facts: { names } };
  const mistaken = names.flatMap((name) => {
    const [meant] = isRead(name) ? [] : nearest(name, environmentVariables);
    return meant === undefined ? [] : [`${name} (${meant}?)`];
  });
  const set = names.length === 0 ? "no SF_ variable is set" : `set: ${names.join(", ")}`;
  if (mistaken.length === 0) return ok(about, set);
  return warn(about, `${set}; not read: ${mistaken.join(", ")}`, "correct the name, or unset it");
}

function isRead(name: string): boolean {
  return environmentVariables.some((one) => one === name);
}
