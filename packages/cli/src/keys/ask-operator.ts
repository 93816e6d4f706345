import {
  errorFor,
  isSimpleFunctionsError,
  type Receipt,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import type { SimpleFunctions } from "@spfunctions/sdk";
import type { CommandContext } from "../command-line/command-context.ts";
import { soundAddressIn } from "../platform/reach-remote.ts";
import type { CreateKey } from "../platform/reach-remote.ts";
import { reachPlatform } from "../platform/reach-platform.ts";
import type { KeysOptions } from "./keys-options.ts";

/** What is to be done with the platform, and what to do where nobody knows whether it was. */
export type Errand<Answer> = {
  readonly ask: (client: SimpleFunctions, createKey: CreateKey) => Promise<Answer>;
  readonly whenUnknown: string;
};

/** Asks a platform with a key that manages keys, and lets go of it again. */
export async function askOperator<Answer>(
  options: KeysOptions,
  context: CommandContext,
  { ask, whenUnknown }: Errand<Answer>,
): Promise<Answer> {
  const { client, createKey, close } = await reachPlatform(options, "operator", context);
  const { signal } = context.io;
  try {
    return await ask(client, createKey ?? (async (key) => await client.keys.create(key, { signal })));
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    // Of this folder's own platform the key in the environment is for calls.
    const isOwn = soundAddressIn(options, context.io) === undefined;
    throw explained(error, whenUnknown, isOwn);
  } finally {
    await close();
  }
}

/** The same error, with what somebody at a terminal can do about it. */
function explained(error: SimpleFunctionsError, whenUnknown: string, isOwn: boolean): SimpleFunctionsError {
  const { code, details } = error;
  if (details?.reason === "outcome_unknown") return saying(error, `no answer came (${code}); ${whenUnknown}`);
  if (code === "not_found")
    return saying(error, "there is no such key in this account; sf keys ls lists those there are");
  if (code === "invalid_api_key")
    return saying(
      error,
      `the platform does not take the key that was used: it was revoked, has expired or is another platform's. Give one with the scope admin in --key-file${isOwn ? "" : " or SF_API_KEY"}; where it was the operator key of this folder, remove its file (sf doctor shows which), and the next start makes another`,
    );
  const receipt = details?.receipt as Receipt | undefined;
  if (code === "policy_denied" && receipt?.principal.scopes.includes("admin") === false)
    return needsAdmin(error, receipt, isOwn);
  return error;
}

/** What its gates say is about rules that nobody at a terminal has written; the receipt has it all. */
function needsAdmin(error: SimpleFunctionsError, receipt: Receipt, isOwn: boolean): SimpleFunctionsError {
  const { verdict: _, ...details } = error.details ?? {};
  const { keyId, scopes } = receipt.principal;
  const message = `managing keys takes a key with the scope admin, and ${keyId} has ${scopes.join(" ") || "none"}; name the file of one with --key-file${isOwn ? "" : ", or put one into SF_API_KEY"}`;
  return errorFor("policy_denied", message, { details, retry: error.retry, cause: error });
}

function saying(error: SimpleFunctionsError, message: string): SimpleFunctionsError {
  const { code, details, retry } = error;
  return errorFor(code, message, { ...(details && { details }), retry, cause: error });
}
