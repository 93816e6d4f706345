import { type AgentPolicy, isSimpleFunctionsError, type SimpleFunctionsError } from "@spfunctions/contracts";
import { configFolderOf, loadInstallation } from "@spfunctions/host/installation";
import { openSqliteStore } from "@spfunctions/host/store";
import type { HostRule, NetworkOptions, Signer, Store, Tool } from "@spfunctions/kernel";
import { type Markets, type MarketsOptions, openMarkets } from "@spfunctions/markets";
import {
  type FirstKey,
  firstKeys,
  listen,
  type Listening,
  type LogLine,
  openPlatform,
  type Platform,
  type PlatformLimits,
  type PlatformOptions,
} from "@spfunctions/server";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { CliIo } from "../io/cli-io.ts";
import type { LateStore } from "../packs/late-store.ts";
import { requireApart } from "../seat/data-folder.ts";
import { held, type Undo } from "../seat/held.ts";
import { keepOutOfRepositories } from "../seat/keep-out-of-repositories.ts";
import type { StorePlace } from "../seat/store-place.ts";
import { openDatabase } from "../seat/open-store.ts";
import { type Endpoint, removeEndpoint, writeEndpoint } from "./endpoint-file.ts";
import { marketsFault } from "./markets-fault.ts";
import { isEveryAddress, ownHost } from "./own-host.ts";
import { processMark } from "./process-mark.ts";

export type HeldTerms = {
  readonly place: StorePlace;
  readonly tools: readonly Tool[];
  /** Those that the packs export. */
  readonly rules?: readonly HostRule[];
  readonly network?: NetworkOptions;
  /** Told of the store. */
  readonly late?: LateStore;
  /** What the markets are opened with, unless there are to be none. */
  readonly markets: Pick<MarketsOptions, "seed" | "venues"> | undefined;
  readonly policy: AgentPolicy | undefined;
  readonly account: string;
  /** Whether whoever opens it has a key: then none are made. */
  readonly hasKey?: boolean;
  readonly env: CliIo["env"];
  readonly log: (line: LogLine) => void;
  /** Whether it is told of every request, too. */
  readonly logRequests?: boolean;
};

export type LocalPlatformTerms = HeldTerms & {
  /** Where others find out that it is up. */
  readonly folder: string;
  readonly host: string;
  /** The usual one unless given, and where that is taken, another. */
  readonly port: number | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** The usual ones unless given. */
  readonly limits?: PlatformLimits | undefined;
};

/** A platform in this process. */
export type HeldPlatform = {
  readonly platform: Platform;
  readonly keys: readonly FirstKey[];
  readonly close: () => Promise<void>;
};

export type LocalPlatform = HeldPlatform & {
  readonly url: string;
  /** Whether another program has the usual port. */
  readonly isMoved: boolean;
  /** Whether it listens for other machines, and answers to no name that they could call it by. */
  readonly isUnnamed: boolean;
  /** The file of the key to begin with. */
  readonly starterKey: string;
  /** Why nothing is written any more, once the data folder was lost to another process. */
  readonly lost: Promise<SimpleFunctionsError>;
};

/** A platform on a data folder, reachable on a socket, with its first keys. Whatever fails, nothing is left open. */
export async function openLocalPlatform(terms: LocalPlatformTerms): Promise<LocalPlatform> {
  const { folder, allowedOrigins, limits } = terms;
  const host = ownHost(terms.host);
  const allowedHosts = [...terms.allowedHosts, host];
  return await held(async (undo, close) => {
    const { platform, makeKeys, lost, signer } = await openOn(
      terms,
      { allowedHosts, allowedOrigins, limits, firesOrders: true },
      undo,
    );
    const { listening, isMoved } = await listenSomewhere(platform, terms);
    // The platform is closed before it: that ends the event streams, which the socket would wait for.
    undo.splice(-1, 0, () => listening.close(limits?.graceMs));
    // Not before there is a socket: a start that fails shows no keys, and the next one would take them for known.
    const keys = await makeKeys();
    const url = `http://${host}:${listening.url.split(":").at(-1)}`;
    const starterKey = pathOf(keys, "starter");
    const endpoint = endpointOf(terms.place, { url, pid: process.pid, starterKey });
    if (!existsSync(folder)) makeFolder(folder);
    writeEndpoint(folder, endpoint, signer);
    undo.push(async () => removeEndpoint(folder, endpoint));
    const isUnnamed = isEveryAddress(terms.host) && terms.allowedHosts.length === 0;
    return { url, isMoved, isUnnamed, platform, keys, starterKey, lost, close };
  });
}

/**
 * The same for this process alone: nothing listens, and nobody is told where it is. No armed order fires: under which policy and rules that
 * may be, `sf up` is told.
 */
export async function openHeldPlatform(terms: HeldTerms): Promise<HeldPlatform> {
  return await held(async (undo, close) => {
    const { platform, makeKeys } = await openOn(terms, { firesOrders: false }, undo);
    return { platform, keys: terms.hasKey === true ? [] : await makeKeys(true), close };
  });
}

/** The file of a first key. */
export function pathOf(keys: readonly FirstKey[], role: FirstKey["role"]): string {
  return keys.find((key) => key.role === role)?.path ?? "";
}

type Door = Pick<PlatformOptions, "allowedHosts" | "allowedOrigins" | "limits"> & {
  /** Whether the armed orders of its markets fire. */
  readonly firesOrders: boolean;
};

async function openOn(
  { place, env, tools, rules, policy, log, logRequests, account, network, late, markets: wanted }: HeldTerms,
  { firesOrders, ...door }: Door,
  undo: Undo,
): Promise<
  Pick<LocalPlatform, "platform" | "lost"> & {
    readonly makeKeys: (isBeside?: boolean) => Promise<FirstKey[]>;
    readonly signer: Signer;
  }
> {
  const { installation, path } = loadInstallation({ env });
  const configFolder = configFolderOf(env);
  if (place.type === "folder") {
    requireApart(place.folder, path);
    requireApart(place.folder, join(configFolder, "keys"), "the keys");
  }
  const lost = Promise.withResolvers<SimpleFunctionsError>();
  const store = await openStoreAt(place, (error) => {
    log({ level: "error", event: "store.lost", message: "nothing is kept any more", error: error.toJSON() });
    lost.resolve(error);
  });
  late?.opened(store, installation);
  undo.push(() => store.close());
  const mayCall: Platform["mayCall"] = (...key) => platform.mayCall(...key);
  const explainCall: Platform["explainCall"] = (...key) => platform.explainCall(...key);
  const fire: Platform["callOrdered"] = (order) => platform.callOrdered(order);
  const markets =
    wanted && (await openMarkets({ store, installation, mayCall, explainCall, fire, ...wanted }));
  const packs = [...(markets?.pack ?? []), ...tools];
  const platform: Platform = await openPlatform({
    store,
    installation,
    packs,
    rules,
    policy,
    log,
    logRequests,
    network,
    ...door,
  });
  const stopTending = markets && tendMarkets(markets, log, firesOrders);
  undo.push(async () => {
    try {
      // The platform fires the orders of the markets, and so it ends after them.
      await stopTending?.();
    } finally {
      await platform.close();
    }
  });
  return {
    platform,
    lost: lost.promise,
    signer: installation.signer,
    makeKeys: (isBeside) => {
      const isAlone = place.type === "folder";
      return firstKeys({ store, platform, configFolder, accountId: account, isBeside, isAlone });
    },
  };
}

async function openStoreAt(place: StorePlace, onLost: (error: SimpleFunctionsError) => void): Promise<Store> {
  if (place.type === "database") return await openDatabase(place);
  const isNew = !existsSync(place.folder);
  const store = await openSqliteStore({ folder: place.folder, onLost });
  if (isNew) keepOutOfRepositories(place.folder);
  return store;
}

function endpointOf(place: StorePlace, endpoint: Endpoint): Endpoint {
  const mark = processMark(endpoint.pid);
  const on = place.type === "database" && { store: place.called };
  return { ...endpoint, ...on, ...(mark !== undefined && { mark }) };
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  keepOutOfRepositories(folder);
}

function tendMarkets(
  { tend }: Markets,
  log: LocalPlatformTerms["log"],
  firesOrders: boolean,
): () => Promise<void> {
  return tend({ firesOrders, onFault: (what, fault) => log(marketsFault(what, fault)) });
}

async function listenSomewhere(
  platform: Platform,
  { host, port, log }: LocalPlatformTerms,
): Promise<{ readonly listening: Listening; readonly isMoved: boolean }> {
  try {
    return { listening: await listen(platform, { host, port, log }), isMoved: false };
  } catch (error) {
    const isTaken = isSimpleFunctionsError(error) && error.details?.reason === "EADDRINUSE";
    if (port !== undefined || !isTaken) throw error;
    return { listening: await listen(platform, { host, port: 0, log }), isMoved: true };
  }
}
