import { type AgentPolicy, isSimpleFunctionsError } from "@spfunctions/contracts";
import { configFolderOf, loadInstallation } from "@spfunctions/host/installation";
import { openSqliteStore } from "@spfunctions/host/store";
import type { Tool } from "@spfunctions/kernel";
import { type Markets, type MarketsOptions, openMarkets } from "@spfunctions/markets";
import {
  type FirstKey,
  firstKeys,
  listen,
  type Listening,
  type LogLine,
  openPlatform,
  type Platform,
} from "@spfunctions/server";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CliIo } from "../io/cli-io.ts";
import { requireApart } from "../seat/data-folder.ts";
import { removeEndpoint, writeEndpoint } from "./endpoint-file.ts";
import { marketsFault } from "./markets-fault.ts";
import { ownHost } from "./own-host.ts";

export type LocalPlatformTerms = {
  readonly folder: string;
  readonly tools: readonly Tool[];
  /** What the markets are opened with, unless there are to be none. */
  readonly markets: Pick<MarketsOptions, "seed" | "venues"> | undefined;
  readonly policy: AgentPolicy | undefined;
  readonly account: string;
  readonly host: string;
  /** The usual one unless given, and where that is taken, another. */
  readonly port: number | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly env: CliIo["env"];
  readonly log: (line: LogLine) => void;
};

export type LocalPlatform = {
  readonly url: string;
  /** Whether another program has the usual port. */
  readonly isMoved: boolean;
  readonly platform: Platform;
  readonly keys: readonly FirstKey[];
  /** The file of the key to begin with. */
  readonly starterKey: string;
  readonly close: () => Promise<void>;
};

/** A platform on a data folder, reachable on a socket, with its first keys. Whatever fails, nothing is left open. */
export async function openLocalPlatform(terms: LocalPlatformTerms): Promise<LocalPlatform> {
  const { folder, env, tools, policy, log, allowedOrigins, account } = terms;
  const { installation, path } = loadInstallation({ env });
  const configFolder = configFolderOf(env);
  requireApart(folder, path);
  requireApart(folder, join(configFolder, "keys"), "the keys");
  const undo: (() => Promise<void>)[] = [];
  const close = async () => {
    const faults: unknown[] = [];
    for (let last = undo.pop(); last !== undefined; last = undo.pop())
      // oxlint-disable-next-line no-await-in-loop -- each stands on the one before
      await last().catch((fault: unknown) => faults.push(fault));
    if (faults.length > 0) throw faults[0];
  };
  try {
    const isNew = !existsSync(folder);
    const store = await openSqliteStore({ folder });
    undo.push(() => store.close());
    if (isNew) keepOutOfRepositories(folder);
    const host = ownHost(terms.host);
    const allowedHosts = [...terms.allowedHosts, host];
    const mayCall: Platform["mayCall"] = (...key) => platform.mayCall(...key);
    const markets = terms.markets && (await openMarkets({ store, mayCall, ...terms.markets }));
    const platform: Platform = await openPlatform({
      store,
      installation,
      packs: [...(markets?.pack ?? []), ...tools],
      policy,
      allowedHosts,
      allowedOrigins,
      log,
    });
    undo.push(() => platform.close());
    // Nothing is called any more once the platform is closed, and the store is still there.
    if (markets !== undefined) undo.splice(-1, 0, tendMarkets(markets, log));
    const { listening, isMoved } = await listenSomewhere(platform, terms);
    // The platform is closed before it: that ends the event streams, which the socket would wait for.
    undo.splice(-1, 0, () => listening.close());
    // Not before there is a socket: a start that fails shows no keys, and the next one would take them for known.
    const keys = await firstKeys({ store, platform, configFolder, accountId: account });
    const url = `http://${host}:${listening.url.split(":").at(-1)}`;
    const starterKey = keys.find(({ role }) => role === "starter")?.path ?? "";
    writeEndpoint(folder, { url, pid: process.pid, starterKey });
    undo.push(async () => removeEndpoint(folder, process.pid));
    return { url, isMoved, platform, keys, starterKey, close };
  } catch (error) {
    // What went wrong first says more than what it brought with it.
    await close().catch(() => undefined);
    throw error;
  }
}

function tendMarkets({ tend }: Markets, log: LocalPlatformTerms["log"]): () => Promise<void> {
  return tend({ onFault: (what, fault) => log(marketsFault(what, fault)) });
}

async function listenSomewhere(
  platform: Platform,
  { host, port }: LocalPlatformTerms,
): Promise<{ readonly listening: Listening; readonly isMoved: boolean }> {
  try {
    return { listening: await listen(platform, { host, port }), isMoved: false };
  } catch (error) {
    const isTaken = isSimpleFunctionsError(error) && error.details?.reason === "EADDRINUSE";
    if (port !== undefined || !isTaken) throw error;
    return { listening: await listen(platform, { host, port: 0 }), isMoved: true };
  }
}

/** A data folder in a project is not part of the project. A folder that was there before may be the project itself. */
function keepOutOfRepositories(folder: string): void {
  try {
    writeFileSync(join(folder, ".gitignore"), "*\n", { mode: 0o600, flag: "wx" });
  } catch {
    // The folder is as good without it.
  }
}
