// The platform that a command talks to: the one at an address, the one that is up on the data folder, or else one in this process.
import { heldSecrets, HostConfigurationNeededError, MissingApiKeyError } from "@spfunctions/contracts";
import { connectEmbedded, SimpleFunctions } from "@spfunctions/sdk";
import { dirname, join, resolve } from "node:path";
import type { CommandContext } from "../command-line/command-context.ts";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CliIo } from "../io/cli-io.ts";
import type { Printer } from "../io/printer.ts";
import { sayWhenLong } from "../io/say-when-long.ts";
import { readHeldKey } from "../keys/read-held-key.ts";
import { loadPacks } from "../packs/load-packs.ts";
import { platformFolderOf } from "../seat/data-folder.ts";
import { inTurn, patienceOf } from "../seat/open-store.ts";
import { type Endpoint, openOrFind } from "../up/endpoint-file.ts";
import { isOfThisMachine } from "../up/first-call.ts";
import { elsewhere, livingEndpoint } from "../up/living-endpoint.ts";
import { type HeldPlatform, openHeldPlatform, pathOf } from "../up/open-local-platform.ts";

/** Whose key is taken where none is given: one to begin with, or one to manage. */
export type KeyRole = "starter" | "operator";

export type ReachOptions = {
  readonly url?: string;
  readonly keyFile?: string;
  readonly pack?: readonly string[];
  readonly account: string;
  readonly wait: number;
};

export type Reached = {
  readonly client: SimpleFunctions;
  /** Its address, or its data folder where it is in this process. */
  readonly where: string;
  readonly isEmbedded: boolean;
  readonly close: () => Promise<void>;
};

const userAgent = "sf";

export async function reachPlatform(
  options: ReachOptions,
  role: KeyRole,
  context: CommandContext,
): Promise<Reached> {
  const { io } = context;
  const url = addressIn(options, io);
  if (url !== undefined) {
    requireNoPacks(options, url);
    const apiKey = givenKey(options, io);
    if (apiKey === undefined) throw noKey(url);
    return remote(new SimpleFunctions({ baseUrl: url, apiKey, userAgent }), url);
  }
  const folder = platformFolderOf(io);
  const found = await sayWhenLong(context.print, `opening the platform in ${folder}`, () =>
    findOrOpen(folder, options, context),
  );
  if ("pid" in found) return beside(found, role, options, io);
  sayFirstKeys(found, context.print);
  return embedded(found, folder, role, options, io);
}

async function findOrOpen(
  folder: string,
  options: ReachOptions,
  context: CommandContext,
): Promise<HeldPlatform | Endpoint> {
  const { io, print } = context;
  // Before their modules are loaded, which can do anything.
  if (options.pack !== undefined) requireNoPacks(options, livingEndpoint(folder)?.url);
  const terms = {
    folder,
    tools: options.pack === undefined ? [] : await loadPacks(options.pack, io),
    markets: {},
    policy: undefined,
    account: options.account,
    env: io.env,
    log: (line: object) => print.err(JSON.stringify(line)),
  };
  const found = await inTurn(
    () => openOrFind(folder, () => openHeldPlatform(terms)),
    patienceOf(options.wait, context),
  );
  if ("pid" in found) requireNoPacks(options, found.url);
  return found;
}

/** A platform has the tools it was started with: whoever names others would wonder where they are. */
export function requireNoPacks({ pack }: Pick<ReachOptions, "pack">, url: string | undefined): void {
  if (pack !== undefined && url !== undefined)
    throw badUsage(
      `the platform at ${url} has its own tools, and --pack adds none to it; leave --pack out, or stop that platform (or unset SF_API_URL) to have one with these`,
    );
}

/** S1: that there are keys now, and where; what they are is in their files alone. */
function sayFirstKeys({ keys }: HeldPlatform, { err }: Pick<Printer, "err">): void {
  const made = keys.filter(({ isNew }) => isNew).map(({ path }) => path);
  if (made.length > 0)
    err({ text: `first keys of this platform were made: ${made.join(", ")}`, style: "dim" });
}

/** The address that was given, if any was. */
export function addressIn(
  { url }: Pick<ReachOptions, "url">,
  { env }: Pick<CliIo, "env">,
): string | undefined {
  const given = url ?? env.SF_API_URL;
  return given === "" ? undefined : given;
}

/** A key that was given, in a file or in the environment. Never on the command line, where everybody can read it. */
function givenKey({ keyFile }: ReachOptions, { cwd, env }: CliIo): string | undefined {
  if (keyFile === undefined) return env.SF_API_KEY === "" ? undefined : env.SF_API_KEY;
  const key = readHeldKey(resolve(cwd, keyFile));
  if (key === undefined)
    throw badUsage(`${keyFile} holds no key; name the file that sf keys create has made`);
  return key;
}

/**
 * The key for a platform of this person's own. To manage it, that is the folder's: the one in the environment is for calls. Else what
 * was given comes first.
 */
function ownKey(file: string, role: KeyRole, options: ReachOptions, io: CliIo): string | undefined {
  if (role === "operator" && options.keyFile === undefined) return readHeldKey(file) ?? givenKey(options, io);
  return givenKey(options, io) ?? readHeldKey(file);
}

/** Another process has the folder: it is a platform, and answers for itself. */
function beside(
  { url, pid, starterKey }: Endpoint,
  role: KeyRole,
  options: ReachOptions,
  io: CliIo,
): Reached {
  if (!isOfThisMachine(url)) throw elsewhere(url);
  const file = role === "starter" ? starterKey : join(dirname(starterKey), "operator.key");
  const apiKey = ownKey(file, role, options, io);
  if (apiKey === undefined)
    throw new HostConfigurationNeededError(
      `a platform is up at ${url} (process ${pid}), and its key file ${file} is gone; give a key in SF_API_KEY, or stop it and start it again`,
    );
  return remote(new SimpleFunctions({ baseUrl: url, apiKey, insecure: true, userAgent }), url);
}

function embedded(
  { platform, keys, close }: HeldPlatform,
  folder: string,
  role: KeyRole,
  options: ReachOptions,
  io: CliIo,
): Reached {
  for (const { secret } of keys) heldSecrets.add(secret, "api_key");
  const apiKey = ownKey(pathOf(keys, role), role, options, io);
  return {
    client: connectEmbedded(platform, { apiKey, userAgent }),
    where: folder,
    isEmbedded: true,
    close,
  };
}

function remote(client: SimpleFunctions, where: string): Reached {
  return { client, where, isEmbedded: false, close: async () => undefined };
}

function noKey(url: string): MissingApiKeyError {
  return new MissingApiKeyError(
    `the platform at ${url} needs a key: put one into SF_API_KEY, or name its file with --key-file`,
    { details: { reason: "no_key" } },
  );
}
