import {
  HostConfigurationNeededError,
  InvalidInputError,
  isSimpleFunctionsError,
  parseAtDoor,
  type TradeGuardrails,
  tradeGuardrailsSchema,
} from "@spfunctions/contracts";
import type { InputOf, SimpleFunctions } from "@spfunctions/sdk";
import { asBadUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { CliIo } from "../io/cli-io.ts";
import { errorOf } from "../io/report-error.ts";
import { readJson } from "../io/read-json.ts";
import { askOperator } from "./ask-operator.ts";
import type { KeysCreateOptions } from "./keys-options.ts";
import { checked, type MadeKey, showKey } from "./made-key.ts";
import { type Reserved, reserveKeyFile } from "./reserve-key-file.ts";

export async function createKey(options: KeysCreateOptions, context: CommandContext): Promise<void> {
  const { io } = context;
  const terms = await termsIn(options, io);
  const reserved = reserveKeyFile(options.out, io);
  try {
    const { made, file } = await askOperator(options, context, {
      ask: async (client) => {
        const key = checked(await client.keys.create(terms, { signal: io.signal }));
        return { made: key, file: await kept(key, reserved, client) };
      },
      whenUnknown:
        "whether the key was made is not known: sf keys ls shows it, and as its secret is lost, revoke it there",
    });
    const { keyId, name, scopes, expiresAt } = made.key;
    const lines = [
      `${keyId}  ${name}  ${scopes.join(" ")}${expiresAt === undefined ? "" : `  until ${expiresAt}`}`,
      `its secret is in ${file}, which you alone can read, and nowhere else`,
    ];
    showKey({ made, file, lines }, options, context);
  } finally {
    reserved.release();
  }
}

async function termsIn(options: KeysCreateOptions, io: CliIo): Promise<InputOf<"keys.create">> {
  const { name, scope, tool, expires, rate, quota } = options;
  return {
    name,
    scopes: scope,
    allowTools: tool,
    expiresAt: expires,
    rateLimit: rate,
    quotas: quota,
    trade: options.trade === undefined ? undefined : await guardrailsIn(options.trade, io),
  };
}

async function guardrailsIn(file: string, io: CliIo): Promise<TradeGuardrails> {
  try {
    const value = await readJson(file, io, file);
    return parseAtDoor(tradeGuardrailsSchema, value, `guardrails in ${file}`, InvalidInputError);
  } catch (error) {
    throw isSimpleFunctionsError(error) && error.code === "invalid_input" ? asBadUsage(error) : error;
  }
}

/** A key whose secret nobody has is a door that nobody closes: where it cannot be kept, it is ended. */
async function kept({ key, secret }: MadeKey, reserved: Reserved, client: SimpleFunctions): Promise<string> {
  const { keyId } = key;
  try {
    return reserved.keep(keyId, secret);
  } catch (cause) {
    const why = errorOf(cause).message;
    const end = await client.keys.revoke(keyId).then(
      () => "so it was revoked again; name another file with --out, and make one more",
      (fault: unknown) =>
        `and it could not be revoked (${errorOf(fault).message}): run sf keys revoke ${keyId} yourself`,
    );
    throw new HostConfigurationNeededError(
      `the key ${keyId} was made, and its secret could not be kept: ${why}; ${end}`,
      {
        details: { reason: "not_kept", keyId },
        cause,
      },
    );
  }
}
