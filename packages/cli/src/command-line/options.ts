import { accountIdSchema, type Scope, scopes, secretInId, sessionIdSchema } from "@spfunctions/contracts";
import { isPublicKey } from "@spfunctions/host/installation";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CliIo } from "../io/cli-io.ts";
import { badUsage } from "./bad-usage.ts";
import { isUserName } from "../io/user-name.ts";
import { durationIn } from "./duration.ts";

/** An option that can be given several times. */
export function repeatable(
  flags: string,
  description: string,
  parse: (text: string) => string = (text) => text,
): Option {
  return new Option(flags, description).argParser((text: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    parse(text),
  ]);
}

/** What a shell offers for an option whose values are parsed one by one. Its help says them already. */
const offered = new WeakMap<Option, readonly string[]>();

export function offering(option: Option, values: readonly string[]): Option {
  offered.set(option, values);
  return option;
}

export function offeredFor(option: Option): readonly string[] {
  return option.argChoices ?? offered.get(option) ?? [];
}

export const packOption = () =>
  repeatable(
    "--pack <module>",
    "a module that has tools: a path, the name of a package, or fs:<folder>, shell:<folder>, http (repeatable)",
  );
export const policyOption = () =>
  new Option("--policy <file>", "what may be called, as JSON; without one, {}");
export const modelOption = () =>
  new Option(
    "--model <name>",
    "scripted:<file>, openai:<model>@<address> or anthropic:<model>; else $SF_MODEL",
  );
export const inputOption = () => new Option("--input <json>", "JSON, @file, or - for the standard input");
export const jsonOption = () => new Option("--json", "answer with one JSON object");
export const keyOption = () =>
  repeatable("--key <base64url>", "a public key whose signature is to be there (repeatable)", publicKey);
/** The scopes that help offers. The page of the markets explains `trade`. */
const offeredScopes = scopes.filter((one) => one !== "trade");
/** `whose`: who has it; `unlessGiven`: which ones there are without it. */
export const scopeOption = (whose = "the caller", unlessGiven = "read write") =>
  offering(
    repeatable(
      "--scope <scope>",
      `a scope of ${whose}: ${offeredScopes.join(", ")}; without it ${unlessGiven} (repeatable)`,
      scope,
    ),
    offeredScopes,
  );
export const accountOption = () =>
  new Option("--account <id>", "whose data it is; else $SF_ACCOUNT")
    .default("local")
    .argParser((text: string) => readAccountId(text, "--account"));

/** Takes $SF_ACCOUNT where a command needs an account and none is given. A command that looks at everybody's goes on doing so. */
export function takeUsualAccount(command: Command, { SF_ACCOUNT: usual = "" }: CliIo["env"]): void {
  const isDefault = command.getOptionValue("account") === "local";
  if (usual === "" || !isDefault || command.getOptionValueSource("account") !== "default") return;
  command.setOptionValueWithSource("account", readAccountId(usual, "SF_ACCOUNT"), "env");
}

function readAccountId(text: string, from: string): string {
  // S1: it is kept as it is. Before anything else is said about it, as that would show it.
  requireNoSecretIn(text, from, "account id");
  const problem = accountIdSchema.safeParse(text).error?.issues[0]?.message;
  if (problem === undefined) return text;
  if (from === "--account") throw new InvalidArgumentError(problem);
  throw badUsage(`${from} is no account id: ${problem}`);
}

function requireNoSecretIn(text: string, flag: string, what: string): void {
  const problem = secretInId(text, what);
  if (problem !== undefined) throw badUsage(`${flag}: ${problem}`);
}

export const urlOption = () =>
  new Option("--url <address>", "the platform's address; else $SF_API_URL, else the one of this folder");
export const keyFileOption = () =>
  new Option(
    "--key-file <file>",
    "the file of the key to call with; else $SF_API_KEY, else a first key of this folder",
  );
export const dataOption = () =>
  new Option("--data <folder>", "where the journal is kept; else $SF_DATA, else the user's data folder");
export const storeOption = () =>
  new Option(
    "--store <address>",
    "a PostgreSQL database instead of a folder: postgres://…; else $SF_STORE; keep a password there, as other users can see command lines",
  ).conflicts("data");
/** Of what only looks: it is found wherever it is kept here. */
export const anyDataOption = () =>
  new Option("--data <folder>", "look in this data folder alone; else in all that are known here");
export const anyStoreOption = () =>
  new Option(
    "--store <address>",
    "look in this PostgreSQL database alone, postgres://…; $SF_STORE is among those that are known",
  ).conflicts("data");
export const waitOption = (whom = "another process that uses the data folder") =>
  new Option("--wait <time>", `how long to wait for ${whom}, like 30s; a number alone is milliseconds`)
    .argParser(milliseconds(0))
    .default(5000);

export const sessionOption = (
  description = "what the call is part of, so that a person's yes can be for all of it",
) =>
  new Option("--session <id>", description).argParser((text: string) => {
    requireNoSecretIn(text, "--session", "session id");
    const problem = sessionIdSchema.safeParse(text).error?.issues[0]?.message;
    if (problem !== undefined) throw new InvalidArgumentError(problem);
    return text;
  });
export const asOption = () =>
  new Option(
    "--as <name>",
    "who answers, as it is kept with the answer; else the user of the operating system",
  ).argParser((text: string) => {
    // S1: it is kept as it is. Before anything else is said about it, as that would show it.
    requireNoSecretIn(text, "--as", "name");
    if (isUserName(text)) return text;
    throw new InvalidArgumentError(
      "expected a name: 1 to 64 letters, digits or . _ @ -, starting with a letter or digit",
    );
  });
export const waitForApprovalOption = () =>
  new Option("--wait-for-approval", "where a person must approve it, wait for their answer and go on");

/** As long as a timer can be. */
const longestMs = 2 ** 31 - 1;

/** What a timer waits for. */
export function milliseconds(least: number): (text: string) => number {
  return (text) => {
    const value = durationIn(/^\d+$/.test(text) ? `${text}ms` : text) ?? Number.NaN;
    if (value >= least && value <= longestMs) return value;
    throw new InvalidArgumentError(
      `expected how long, like 500ms, 30s or 5m, or a number of milliseconds, from ${least} to ${longestMs}`,
    );
  };
}

function scope(text: string): Scope {
  const known = scopes.find((one) => one === text);
  if (known === undefined) throw new InvalidArgumentError(`expected one of ${scopes.join(", ")}`);
  return known;
}

function publicKey(text: string): string {
  if (isPublicKey(text)) return text;
  throw new InvalidArgumentError("expected an Ed25519 public key: 32 bytes in base64url, 43 characters");
}
