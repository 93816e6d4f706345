import type { Scope } from "@spfunctions/contracts";
import type { Command } from "commander";
import { accountOption, jsonOption, keyFileOption, urlOption, waitOption } from "../command-line/options.ts";
import type { Quotas, RateLimit } from "./key-terms.ts";

/** What every command about keys takes. */
export type KeysOptions = {
  readonly url?: string;
  readonly keyFile?: string;
  readonly account: string;
  readonly wait: number;
  readonly json?: true;
};

export type KeysCreateOptions = KeysOptions & {
  readonly name?: string;
  readonly scope?: readonly Scope[];
  readonly tool?: readonly string[];
  readonly expires?: string;
  readonly rate?: RateLimit;
  readonly quota?: Quotas;
  readonly trade?: string;
  readonly approvals?: string;
  readonly output?: string;
  readonly show?: true;
};

export type KeysRotateOptions = KeysOptions & { readonly output?: string; readonly show?: true };

export type KeysRevokeOptions = KeysOptions & { readonly yes?: true; readonly decided?: "list" | "end" };

export function addKeysOptions(command: Command): Command {
  return command
    .addOption(urlOption())
    .addOption(keyFileOption())
    .addOption(accountOption())
    .addOption(waitOption())
    .addOption(jsonOption());
}

/** Where keys are asked for, and with which key. */
export const whereKeysAre = `It asks the platform at --url or $SF_API_URL; else the one that "sf up" has up in this folder; else one in this process,
on the same data. The key to ask with needs the scope admin: here it is the folder's operator key, unless --key-file names one; elsewhere
give one.`;
