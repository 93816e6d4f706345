import type { DatabaseSync } from "node:sqlite";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { pragma } from "./open-database.ts";
import type { Transactions } from "./transactions.ts";

export function versionOf(database: DatabaseSync): number {
  return Number(pragma(database, "user_version"));
}

/** Refuses a database that a newer program has written: what is in it is not known here. */
export function requireKnownVersion(database: DatabaseSync, known: number, file: string): void {
  const version = versionOf(database);
  if (version <= known) return;
  throw new HostConfigurationNeededError(
    `${file} has schema version ${version} and this program knows versions up to ${known}; it was left as it is. Update this program, or name another data folder`,
    { details: { reason: "newer_schema", version, known } },
  );
}

/** A guest changes no schema: it takes the database as it is or not at all. */
export function requireSameVersion(database: DatabaseSync, known: number, file: string): void {
  requireKnownVersion(database, known, file);
  const version = versionOf(database);
  if (version === known) return;
  throw new HostConfigurationNeededError(
    `${file} has schema version ${version} and this program needs ${known}; start this program once as the driver of the data folder, which brings it up to date`,
    { details: { reason: "older_schema", version, known } },
  );
}

/**
 * Takes one step, unless somebody else has taken it in the meantime. `permit` is asked inside the step's transaction and
 * throws where the step is not this process's to take.
 */
export function takeStep(
  database: DatabaseSync,
  transactions: Transactions,
  migrations: readonly string[],
  permit: () => void,
): void {
  transactions.run("power", () => {
    permit();
    const version = versionOf(database);
    const step = migrations[version];
    if (step === undefined) return "drop";
    database.exec(step);
    database.exec(`PRAGMA user_version = ${version + 1}`);
    return "keep";
  });
}
