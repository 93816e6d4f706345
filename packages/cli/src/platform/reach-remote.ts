// A platform in another process: at an address, or the one that is up on a data folder.
import { HostConfigurationNeededError, MissingApiKeyError } from "@spfunctions/contracts";
import {
  type ClientOptions,
  type Fetch,
  type InputOf,
  type OutputOf,
  SimpleFunctions,
} from "@spfunctions/sdk";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { CliIo } from "../io/cli-io.ts";
import { readHeldKey } from "../keys/read-held-key.ts";
import type { LivingEndpoint } from "../up/living-endpoint.ts";
import { inWordsOfShell } from "./in-words-of-shell.ts";
import { baseUrlOf, ownEndpoint } from "./own-endpoint.ts";

/** Whose key is taken where none is given: one to begin with, or one to manage. */
export type KeyRole = "starter" | "operator";

/** With which key a platform is asked, where one is given, and by which way. */
export type GivenKey = { readonly keyFile?: string; readonly fetch?: Fetch };

export type CreateKey = (key: InputOf<"keys.create">) => Promise<OutputOf<"keys.create">>;

export type Reached = {
  readonly client: SimpleFunctions;
  /** Its address, or its data folder where it is in this process. */
  readonly where: string;
  readonly isEmbedded: boolean;
  /** Makes a key as the machine's operator, so that it comes from no other key. Left out if a key is named, or another process has the platform. */
  readonly createKey?: CreateKey | undefined;
  readonly close: () => Promise<void>;
};

export const userAgent = "sf";

/** The address that was given, if any was. */
export function addressIn(
  { url }: { readonly url?: string },
  { env }: Pick<CliIo, "env">,
): string | undefined {
  const given = url ?? env.SF_API_URL;
  return given === "" ? undefined : given;
}

/** The same, where it is one. */
export function soundAddressIn(
  options: { readonly url?: string },
  io: Pick<CliIo, "env">,
): string | undefined {
  const url = addressIn(options, io);
  const name = options.url === undefined ? "SF_API_URL" : "--url";
  if (url !== undefined)
    inWordsOfShell(
      () => baseUrlOf(url),
      (message) => message.replace(/^baseUrl /, `${name} `),
    );
  return url;
}

/** The platform at an address: with the key that was given, or where it is this folder's own with that of the folder. */
export function reachAddress(
  url: string,
  role: KeyRole,
  given: GivenKey,
  { io, print }: Pick<CommandContext, "io" | "print">,
): Reached {
  const apiKey = givenKey(given, io);
  if (apiKey !== undefined) return remote({ baseUrl: url, apiKey, fetch: given.fetch });
  const own = ownEndpoint(url, io);
  if (own === undefined) throw noKey(url);
  print.err({ text: `asking ${own.url} with the ${role} key of this folder`, style: "dim" });
  return reachEndpoint(own, role, given, io);
}

/** Another process has the folder: it is a platform, and answers for itself. */
export function reachEndpoint(
  { url, pid, starterKey }: LivingEndpoint,
  role: KeyRole,
  options: GivenKey,
  io: CliIo,
): Reached {
  const file = role === "starter" ? starterKey : join(dirname(starterKey), "operator.key");
  const apiKey = ownKey(file, role, options, io);
  if (apiKey === undefined)
    throw new HostConfigurationNeededError(
      `a platform is up at ${url} (process ${pid}), and its key file ${file} is gone; give a key in SF_API_KEY, or stop it and start it again`,
    );
  return remote({ baseUrl: url, apiKey, insecure: true, fetch: options.fetch });
}

/** A key that was given, in a file or in the environment. Never on the command line, where everybody can read it. */
export function givenKey({ keyFile }: GivenKey, { cwd, env }: CliIo): string | undefined {
  if (keyFile === undefined) return env.SF_API_KEY === "" ? undefined : env.SF_API_KEY;
  const path = resolve(cwd, keyFile);
  const key = readHeldKey(path);
  if (key !== undefined) return key;
  const problem = existsSync(path) ? `${keyFile} holds no key` : `there is no file ${keyFile}`;
  throw badUsage(`${problem}; name the file that sf keys create has made`);
}

/**
 * The key for a platform of this person's own. To manage it, that is the folder's: the one in the environment is for calls. Else what
 * was given comes first.
 */
export function ownKey(file: string, role: KeyRole, options: GivenKey, io: CliIo): string | undefined {
  if (role === "operator" && options.keyFile === undefined) return readHeldKey(file) ?? givenKey(options, io);
  return givenKey(options, io) ?? readHeldKey(file);
}

function remote(options: ClientOptions & { readonly baseUrl: string }): Reached {
  // What a file holds was looked at: what is wrong with a key is so of the one in the environment.
  const client = inWordsOfShell(
    () => new SimpleFunctions({ ...options, userAgent }),
    (message) =>
      message.replace(
        /^apiKey (.*); pass apiKey: .*$/,
        "SF_API_KEY $1; put a whole key into it, or name its file with --key-file",
      ),
  );
  return { client, where: options.baseUrl, isEmbedded: false, close: async () => undefined };
}

function noKey(url: string): MissingApiKeyError {
  return new MissingApiKeyError(
    `the platform at ${url} needs a key: put one into SF_API_KEY, or name its file with --key-file`,
    { details: { reason: "no_key" } },
  );
}
