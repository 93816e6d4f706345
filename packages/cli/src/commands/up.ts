import { realVenues } from "@spfunctions/markets";
import { type Command, InvalidArgumentError, Option } from "commander";
import { platformFolderOf } from "@spfunctions/host/installation";
import { addOptionsWith } from "../command-line/add-options-with.ts";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import {
  type GivenNetwork,
  netLocalOption,
  netOnlyOption,
  networkOf,
} from "../command-line/network-options.ts";
import { accountOption, jsonOption, repeatable, storeOption, waitOption } from "../command-line/options.ts";
import { type LogLevel, logLevels, printLog } from "../io/print-log.ts";
import { LateStore } from "../packs/late-store.ts";
import { loadPacks } from "../packs/load-packs.ts";
import { inTurn, patienceOf } from "../seat/open-store.ts";
import { readPolicy } from "../seat/read-policy.ts";
import { platformPlaceOf } from "../seat/store-place.ts";
import { askBeside } from "../up/ask-beside.ts";
import { servesExample } from "../up/serves-example.ts";
import { type LocalPlatform, type LocalPlatformTerms, openLocalPlatform } from "../up/open-local-platform.ts";
import { openOrFind } from "../up/open-or-find.ts";
import { readLimits } from "../up/read-limits.ts";
import { sayWhatIsClosed } from "../up/say-what-is-closed.ts";
import { serve, type ServeTerms } from "../up/serve.ts";

type UpOptions = GivenNetwork & {
  readonly data?: string;
  readonly store?: string;
  readonly host?: string;
  readonly port?: number;
  readonly pack?: readonly string[];
  readonly policy?: string;
  readonly limits?: string;
  readonly markets?: boolean;
  readonly seed?: string;
  readonly venue?: readonly string[];
  readonly account: string;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly wait: number;
  readonly log?: LogLevel;
  readonly once?: true;
  readonly json?: true;
};

export function addUp(program: Command, context: CommandContext): void {
  const command = program
    .command("up")
    .description("run the platform: tools behind HTTP, with keys, on this machine")
    .option("--data <folder>", "where everything is kept; else $SF_DATA, else .sf here")
    .addOption(storeOption())
    .option(
      "--host <address>",
      "the address to listen on; 127.0.0.1 unless given; with 0.0.0.0 others reach it only by a name of --allow-host",
    )
    .addOption(
      new Option(
        "--port <number>",
        "the port; 7700 unless given, or where that is taken another; 0 for any",
      ).argParser(port),
    )
    .addOption(
      repeatable(
        "--pack <module>",
        "a module that has tools, each with an http member that says its route: a path or the name of a package (repeatable)",
      ),
    )
    .addOption(new Option("--policy <file>", "what holds for every key, as JSON, besides its own"))
    .addOption(
      new Option(
        "--limits <file>",
        "limits of the platform that are not the usual ones, as JSON; see docs/reference/limits.md",
      ),
    )
    .option(
      "--markets",
      "serve the example markets, too; without --pack they are served unless --no-markets is given",
    )
    .option("--no-markets", "serve no example markets")
    .addOption(netOnlyOption())
    .addOption(netLocalOption())
    .addOption(accountOption())
    .addOption(
      repeatable(
        "--allow-host <name>",
        "a host name or address to answer to, besides localhost, 127.0.0.1 and [::1] (repeatable)",
      ),
    )
    .addOption(
      repeatable("--allow-origin <origin>", "an origin whose pages may call, with a token (repeatable)"),
    )
    .addOption(waitOption())
    .addOption(
      new Option(
        "--log <level>",
        "what is told on the standard error while it is up, warn unless given; info tells of each request",
      ).choices(logLevels),
    )
    .option("--once", "show one governed call, then stop")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf up
  $ sf up --pack ./notes.ts --port 8080
  $ sf up --once
  $ sf up --limits limits.json
  $ SF_STORE=postgres://me@db.example/house sf up

The first keys are kept in files that you alone can read, and shown once, by the start that makes them; where sf agent or
sf keys came first, they have made them, and nobody is shown them. It stays up until Ctrl-C. Where the data folder has a platform already, that one is asked instead.
On a PostgreSQL database any number of them can be up, at different ports.
Its log is on the standard error, one JSON object a line: time, level, event, message and ids, and never a key, an input or an output.
A tool without an http member has no route, and nobody can call it here: those of fs:<folder>, shell:<folder> and http are for sf call and sf run.
sf up --markets --help also has the options of the example markets.
What --limits takes is like {"requestBodyBytes": 4194304, "keyRate": {"perSecond": 10, "burst": 20}}.
Exit codes: 0 stopped as asked, 1 failed, or lost its data folder to another process while it was paused, 2 bad usage, 6 what is kept is damaged.`,
    )
    .action(async (options: UpOptions) => {
      await up(options, context);
    });
  addOptionsWith(command, { option: "markets" }, [
    new Option("--seed <text>", "what the simulated markets are made from; the same seed, the same history"),
    repeatable(
      "--venue <name>",
      `a real venue to read, besides the simulated ones: ${realVenues.join(", ")} (repeatable)`,
      realVenue,
    ),
  ]);
}

async function up(options: UpOptions, context: CommandContext): Promise<void> {
  const { io, print } = context;
  const { pack, port: wanted, allowHost = [], allowOrigin = [], json, once } = options;
  requireOfUse(options);
  const place = platformPlaceOf(options, io);
  const folder = place.type === "folder" ? place.folder : platformFolderOf(io);
  const late = new LateStore();
  const terms: LocalPlatformTerms = {
    place,
    folder,
    ...(pack === undefined ? { tools: [] } : await loadPacks(pack, io, late)),
    late,
    ...networkOf(options),
    markets: servesExample(options) ? marketsIn(options) : undefined,
    policy: options.policy === undefined ? undefined : await readPolicy(options.policy, io),
    limits: options.limits === undefined ? undefined : await readLimits(options.limits, io),
    account: options.account,
    // An empty one would be all addresses of this machine.
    host: options.host || "127.0.0.1",
    port: wanted,
    allowedHosts: allowHost,
    allowedOrigins: allowOrigin,
    env: io.env,
    log: printLog(print, options.log),
    logRequests: options.log === "info",
  };
  // A database is everybody's: another platform on it is no reason not to start one.
  const found =
    place.type === "database"
      ? await openLocalPlatform(terms)
      : await inTurn(
          () => openOrFind(folder, io, () => openLocalPlatform(terms)),
          patienceOf(options.wait, context),
        );
  const isJson = json === true;
  const own = terms.tools.map(({ contract }) => contract);
  if ("pid" in found) await askBeside(found, { isJson, unfollowed: startOptionsIn(options) }, context);
  else await sayAndServe(found, terms, { place, own, isOnce: once === true, isJson }, context);
}

async function sayAndServe(
  found: LocalPlatform,
  { policy, account }: LocalPlatformTerms,
  terms: ServeTerms,
  context: CommandContext,
): Promise<void> {
  await sayWhatIsClosed(found, { policy, account, isJson: terms.isJson }, context).catch(
    async (error: unknown) => {
      await found.close();
      throw error;
    },
  );
  await serve(found, terms, context);
}

function marketsIn({ seed, venue = [] }: UpOptions): LocalPlatformTerms["markets"] {
  return { seed, venues: Object.fromEntries(venue.map((name) => [name, {}])) };
}

function startOptionsIn(options: UpOptions): string[] {
  const names = [
    "pack",
    "policy",
    "limits",
    "host",
    "port",
    "seed",
    "venue",
    "allowHost",
    "allowOrigin",
    "log",
    "netOnly",
    "netLocal",
  ] as const;
  const given = names
    .filter((name) => options[name] !== undefined)
    .map((name) => `--${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`);
  if (options.markets === undefined) return given;
  return [...given, options.markets ? "--markets" : "--no-markets"];
}

/** Refuses options of the example markets if these are not served: they would have no effect. */
function requireOfUse(options: UpOptions): void {
  if (servesExample(options)) return;
  const unused = (["seed", "venue"] as const).find((name) => options[name] !== undefined);
  if (unused !== undefined)
    throw badUsage(`--${unused} is for the example markets, which are not served; add --markets`);
}

function realVenue(text: string): string {
  if (realVenues.some((name) => name === text)) return text;
  throw new InvalidArgumentError(`expected one of ${realVenues.join(", ")}`);
}

function port(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= 65_535) return value;
  throw new InvalidArgumentError("expected a port, from 0 to 65535");
}
