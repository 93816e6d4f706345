import { approvalIdSchema, grantIdSchema } from "@spfunctions/contracts";
import type { Command } from "commander";
import {
  accountOption,
  anyDataOption,
  anyStoreOption,
  asOption,
  jsonOption,
  keyFileOption,
  urlOption,
  waitOption,
} from "../command-line/options.ts";
import { requireId } from "../command-line/require-id.ts";

/** What every command about approvals takes. */
export type ApprovalsOptions = {
  readonly url?: string;
  readonly keyFile?: string;
  readonly data?: string;
  readonly store?: string;
  readonly account: string;
  readonly wait: number;
  /** By whom it is answered. */
  readonly as?: string;
  readonly json?: true;
};

export function addApprovalsOptions(command: Command): Command {
  return command
    .addOption(urlOption())
    .addOption(keyFileOption())
    .addOption(anyDataOption().conflicts("url"))
    .addOption(anyStoreOption().conflicts(["url", "data"]))
    .addOption(accountOption())
    .addOption(waitOption())
    .addOption(jsonOption());
}

/** The same where something is answered. */
export function addAnswerOptions(command: Command): Command {
  return addApprovalsOptions(command).addOption(asOption().conflicts(["url", "keyFile"]));
}

/** Who is on record as having answered. */
export const whoIsRecorded = `Kept with an answer is who gave it, and when: here you, by --as or as the user of the operating system; on a platform the key. With --as
it looks at what is kept here alone, beside a platform that is up here, too.`;

/** Where approvals are looked for. */
export const whereApprovalsAre = `It looks on the platform at --url, in the folder --data, or in the database --store; else wherever sf call, sf agent and sf up keep theirs here, and on the
platform at $SF_API_URL. A platform is asked with a key that has the scope admin: of a folder of your own its operator key, unless
--key-file names one. Beside another process that drives a folder, that process is asked to journal the answer.`;

export function requireApprovalId(text: string): void {
  requireId(text, approvalIdSchema, { prefix: "appr_", called: "approval id", listedBy: "sf approvals ls" });
}

export function requireGrantId(text: string): void {
  requireId(text, grantIdSchema, { prefix: "grant_", called: "grant id", listedBy: "sf approvals grants" });
}
