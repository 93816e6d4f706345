import { join, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { HostConfigurationNeededError, type LeaseLostError, refuseUnknown } from "@spfunctions/contracts";
import type { Store } from "@spfunctions/kernel";
import { DriverLease } from "./driver-lease.ts";
import { DriverStore } from "./driver-store.ts";
import { GuestStore } from "./guest-store.ts";
import { requireKnownVersion, requireSameVersion, takeStep, versionOf } from "./migrate.ts";
import { migrations as ownMigrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { readFault } from "./sqlite-faults.ts";
import { type DriverTerms, takeDriver } from "./take-driver.ts";
import { defaultLeaseMs, defaultRenewMs } from "../lease-limits.ts";
import { Transactions } from "./transactions.ts";

export type SqliteStoreOptions = {
  /** The data folder. Its driver makes it where it is missing, for its owner alone. */
  readonly folder: string;
  /** One process drives a folder; guests beside it read, and write to the inbox. `driver` unless given. */
  readonly role?: "driver" | "guest";
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** How long after its last sign a driver counts as hung and can be succeeded. */
  readonly leaseMs?: number;
  /** How often the driver gives a sign. */
  readonly renewMs?: number;
  /** Told once, where another process has taken the folder over, or its file is gone: this store writes no more. */
  readonly onLost?: ((error: LeaseLostError) => void) | undefined;
};

export type SqliteStore = Store & { readonly role: "driver" | "guest"; readonly folder: string };

/** Opens the store in a data folder. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  return openAt(options, ownMigrations);
}

/** As `openSqliteStore`, for a program that knows these migrations. */
export async function openAt(
  options: SqliteStoreOptions,
  migrations: readonly string[],
): Promise<SqliteStore> {
  refuseUnknown(options, ["folder", "role", "clock", "leaseMs", "renewMs", "onLost"], "option of a store");
  if (typeof options.folder !== "string" || options.folder === "")
    throw new HostConfigurationNeededError("a store lies in a folder: openSqliteStore({ folder })", {
      details: { path: "/folder", reason: "no_folder" },
    });
  const { role = "driver", clock = Date.now, leaseMs = defaultLeaseMs, renewMs = defaultRenewMs } = options;
  const { onLost } = options;
  const folder = resolve(options.folder);
  const file = join(folder, "simplefunctions.db");
  const database = await openDatabase(file, { create: role === "driver" });
  try {
    if (role === "guest") {
      const permit = () => requireSameVersion(database, migrations.length, file);
      permit();
      return new GuestStore(database, file, folder, permit);
    }
    const transactions = new Transactions(database);
    const lease = drive(database, transactions, migrations, { folder, clock, leaseMs, onLost }, file);
    return new DriverStore({ database, file, folder, transactions, lease, renewMs });
  } catch (error) {
    database.close();
    throw readFault(error, file);
  }
}

/** The first step makes the table in which drivers are written down; every later one is taken by the driver alone. */
function drive(
  database: DatabaseSync,
  transactions: Transactions,
  migrations: readonly string[],
  terms: DriverTerms,
  file: string,
): DriverLease {
  const permit = () => requireKnownVersion(database, migrations.length, file);
  permit();
  if (versionOf(database) === 0) takeStep(database, transactions, migrations.slice(0, 1), permit);
  const epoch = takeDriver(database, transactions, terms, permit);
  const lease = new DriverLease(database, transactions, terms, epoch);
  try {
    while (versionOf(database) < migrations.length)
      takeStep(database, transactions, migrations, () => lease.require());
    return lease;
  } catch (error) {
    lease.giveUp();
    throw error;
  }
}
