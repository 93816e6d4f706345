import { statSync } from "node:fs";
import { join } from "node:path";
import { configFolderOf } from "@spfunctions/host/installation";
import type { CommandContext } from "../command-line/command-context.ts";
import { asWord } from "../io/as-word.ts";
import { type Driver, watchDriver } from "../seat/driver-of.ts";
import { installationIfAny } from "../seat/installation-if-any.ts";
import { ownKeys, pinnedKeys } from "../seat/known-keys.ts";
import { openToRead } from "../seat/open-store.ts";
import { type DatabasePlace, type FolderPlace, type StorePlace, storePlaceOf } from "../seat/store-place.ts";
import { usualPlaces } from "../trace/journal-places.ts";
import { readEndpoint } from "../up/endpoint-file.ts";
import { type Check, failed, ok, warn } from "./check.ts";
import { folderCheck } from "./data-folder-check.ts";
import { databaseCheck } from "./database-check.ts";
import type { DoctorOptions } from "./doctor-options.ts";
import { orNothing } from "./or-nothing.ts";
import { type CheckedStore, storeChecks } from "./store-checks.ts";
import { canBeLookedAt } from "./unwritable-check.ts";

/** The folder that is named; else where commands without an option keep their journals, each once. */
export async function* dataChecks(options: DoctorOptions, context: CommandContext): AsyncGenerator<Check> {
  for (const { place, users } of placesToCheck(options, context)) {
    try {
      yield* place.type === "folder"
        ? folderChecks(place, { users, isNamed: Boolean(options.data) }, context)
        : databaseChecks(place, users, options, context);
    } catch (error) {
      if (context.io.signal.aborted) throw error;
      yield failed({ check: "data", where: place.called }, error);
    }
  }
}

function placesToCheck(
  { data, store }: DoctorOptions,
  { io }: CommandContext,
): ReturnType<typeof usualPlaces> {
  if (data) return [{ place: storePlaceOf({ data }, io), users: ["whatever is told to use it"] }];
  const { cwd, env } = io;
  return usualPlaces({ cwd, env: store ? { ...env, SF_STORE: store } : env });
}

async function* folderChecks(
  place: FolderPlace,
  { users, isNamed }: { readonly users: readonly string[]; readonly isNamed: boolean },
  context: CommandContext,
): AsyncGenerator<Check> {
  const { folder } = place;
  const found = folderCheck(folder, users);
  yield found;
  const file = join(folder, "simplefunctions.db");
  if (!canBeLookedAt(found)) return;
  if (statSync(file, { throwIfNoEntry: false }) === undefined) {
    if (isNamed) yield nothingKept(folder);
    return;
  }
  const { driver, close } = watchDriver(file);
  try {
    yield driverCheck(folder, driver);
    const isDriven = driver?.isDriving === true;
    yield* openedChecks(place, { options: ` --data ${asWord(folder)}`, isDriven }, context);
  } finally {
    close();
  }
}

async function* databaseChecks(
  place: DatabasePlace,
  users: readonly string[],
  { store }: DoctorOptions,
  context: CommandContext,
): AsyncGenerator<Check> {
  const { check, isReadable } = await databaseCheck(place, users);
  yield check;
  if (isReadable) yield* openedChecks(place, { options: store ? ` --store ${place.word}` : "" }, context);
}

async function* openedChecks(
  place: StorePlace,
  checked: Omit<CheckedStore, "where">,
  { io, print }: CommandContext,
): AsyncGenerator<Check> {
  const store = await openToRead(place);
  try {
    yield* storeChecks(
      store,
      { where: place.called, ...checked },
      {
        configFolder: configFolderOf(io.env),
        installation: orNothing(() => installationIfAny(io) ?? "none"),
        // What is wrong with them is said elsewhere.
        publicKeys: [pinnedKeys, ownKeys].flatMap((keys) => orNothing(() => keys(io)) ?? []),
        signal: io.signal,
        progress: (records) =>
          print.err({ text: `looking at the journal in ${place.called}: ${records} records`, style: "dim" }),
      },
    );
  } finally {
    await store.close();
  }
}

function nothingKept(folder: string): Check {
  return warn(
    { check: "data", where: folder },
    "nothing is kept in it",
    "check its name; sf doctor without --data shows where sf call, sf agent and sf up keep theirs",
  );
}

function driverCheck(folder: string, driver: Driver | undefined): Check {
  const about = { check: "driver", where: folder };
  if (driver === undefined) return ok(about, "no process drives it");
  const { pid, isDriving } = driver;
  if (!isDriving)
    return warn(
      { ...about, facts: { pid } },
      `process ${pid} drove it and ended without closing it`,
      "open it again with what drove it, which settles what was left: sf up, sf agent or sf call",
    );
  const endpoint = readEndpoint(folder);
  const what = endpoint?.pid === pid ? `the platform at ${endpoint.url}, process ${pid}` : `process ${pid}`;
  return ok({ ...about, facts: { pid } }, `${what} drives it`);
}
