import { HostConfigurationNeededError } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { exitOf, printError } from "../io/report-error.ts";
import { readHeldKey } from "../keys/read-held-key.ts";
import { firstCall } from "./first-call.ts";
import type { LivingEndpoint } from "./living-endpoint.ts";
import { printUp } from "./print-up.ts";

export type AskTerms = {
  readonly isJson: boolean;
  /** Options that only a start could have followed. */
  readonly unfollowed: readonly string[];
};

/** Another process has the folder: it is a platform, and answers for itself. */
export async function askBeside(
  { url, pid, starterKey }: LivingEndpoint,
  { isJson, unfollowed }: AskTerms,
  { io, print, exit }: CommandContext,
): Promise<void> {
  const key = readHeldKey(starterKey);
  if (key === undefined)
    throw new HostConfigurationNeededError(
      `a platform is up at ${url} (process ${pid}), and its key file ${starterKey} is gone; stop it, and start it again`,
    );
  const call = await firstCall(url, key);
  // Without a receipt nothing has shown that it is one.
  if (call.error !== undefined && call.receipt === undefined) throw call.error;
  printUp(print, { url, keys: [], starterKey, call, isOnce: false, isJson, pid });
  if (unfollowed.length > 0)
    print.err(
      `note: it goes on as it was started, without ${unfollowed.join(", ")}; stop it to start another`,
    );
  if (call.error === undefined) return;
  printError(print, call.error, io.env);
  exit(exitOf(call.error, io.signal));
}
