import { statSync } from "node:fs";
import { join } from "node:path";
import { configFolderOf } from "@spfunctions/host/installation";
import { openSqliteStore } from "@spfunctions/host/store";
import type { CommandContext } from "../command-line/command-context.ts";
import { type Driver, watchDriver } from "../seat/driver-of.ts";
import { installationIfAny } from "../seat/installation-if-any.ts";
import { ownKeys, pinnedKeys } from "../seat/known-keys.ts";
import { usualFolders } from "../trace/journal-folders.ts";
import { readEndpoint } from "../up/endpoint-file.ts";
import { type Check, failed, ok, warn } from "./check.ts";
import { folderCheck } from "./data-folder-check.ts";
import { orNothing } from "./or-nothing.ts";
import { storeChecks } from "./store-checks.ts";

/** The folders in which commands without an option keep their journals, each once. */
export async function* dataChecks(context: CommandContext): AsyncGenerator<Check> {
  for (const [folder, users] of usualFolders(context.io)) {
    const about = { check: "data", where: folder };
    const found = folderCheck(folder, users);
    yield found;
    const file = join(folder, "simplefunctions.db");
    if (found.status === "fail" || statSync(file, { throwIfNoEntry: false }) === undefined) continue;
    try {
      yield* openedChecks(folder, file, context);
    } catch (error) {
      if (context.io.signal.aborted) throw error;
      yield failed(about, error);
    }
  }
}

async function* openedChecks(folder: string, file: string, context: CommandContext): AsyncGenerator<Check> {
  const { io, print } = context;
  const { driver, close } = watchDriver(file);
  try {
    yield driverCheck(folder, driver);
    const store = await openSqliteStore({ folder, role: "guest" });
    try {
      yield* storeChecks(store, folder, {
        configFolder: configFolderOf(io.env),
        installation: orNothing(() => installationIfAny(io)),
        // What is wrong with them is said elsewhere.
        publicKeys: [pinnedKeys, ownKeys].flatMap((keys) => orNothing(() => keys(io)) ?? []),
        signal: io.signal,
        progress: (records) =>
          print.err({ text: `looking at the journal in ${folder}: ${records} records`, style: "dim" }),
      });
    } finally {
      await store.close();
    }
  } finally {
    close();
  }
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
