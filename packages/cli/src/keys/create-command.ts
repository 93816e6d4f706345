import {
  type ApprovalPolicy,
  approvalPolicySchema,
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
import { noToolText, type Unmatched, unmatchedTools } from "../platform/unmatched-tools.ts";
import { askOperator } from "./ask-operator.ts";
import type { KeysCreateOptions } from "./keys-options.ts";
import { checked, type MadeKey, showKey } from "./made-key.ts";
import { type Reserved, reserveKeyFile } from "./reserve-key-file.ts";

export async function createKey(options: KeysCreateOptions, context: CommandContext): Promise<void> {
  const { io, print } = context;
  const terms = await termsIn(options, io);
  const reserved = reserveKeyFile(options.output, io);
  try {
    const { made, file, unmatched } = await askOperator(options, context, {
      ask: async (client, makeKey) => {
        const key = checked(await makeKey(terms));
        const kept = await keptIn(key, reserved, client);
        return { made: key, file: kept, unmatched: await unmatchedAt(client, options, io) };
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
    for (const one of unmatched)
      print.err({ text: "warning", style: "yellow" }, `: --tool: ${noToolText(one)}`);
    if (unmatched.length > 0) print.err(`to make another instead, end this one: sf keys revoke ${keyId}`);
  } finally {
    reserved.release();
  }
}

/** A platform may get a tool later, or another one on the same data may have it: so it is only said. */
async function unmatchedAt(
  client: SimpleFunctions,
  { tool }: KeysCreateOptions,
  { signal }: CliIo,
): Promise<Unmatched[]> {
  if (tool === undefined) return [];
  // The key is made by now: that the list cannot be read takes nothing back.
  const manifest = await client.manifest.list({ mode: "review" }, { signal }).catch(() => undefined);
  if (manifest === undefined) return [];
  return unmatchedTools(
    tool,
    manifest.tools.map(({ name }) => name),
  );
}

async function termsIn(options: KeysCreateOptions, io: CliIo): Promise<InputOf<"keys.create">> {
  const { name, scope, tool, expires, rate, quota, trade, approvals } = options;
  return {
    name,
    scopes: scope,
    allowTools: tool,
    expiresAt: expires,
    rateLimit: rate,
    quotas: quota,
    trade: await termIn(trade, guardrails, io),
    approvals: await termIn(approvals, askingTerms, io),
  };
}

/** What a file says, where one is named. */
async function termIn<Term>(
  file: string | undefined,
  read: (value: unknown, where: string) => Term,
  io: CliIo,
): Promise<Term | undefined> {
  if (file === undefined) return undefined;
  try {
    return read(await readJson(file, io, file), `in ${file}`);
  } catch (error) {
    throw isSimpleFunctionsError(error) && error.code === "invalid_input" ? asBadUsage(error) : error;
  }
}

function guardrails(value: unknown, where: string): TradeGuardrails {
  return parseAtDoor(tradeGuardrailsSchema, value, `guardrails ${where}`, InvalidInputError);
}

function askingTerms(value: unknown, where: string): ApprovalPolicy {
  return parseAtDoor(approvalPolicySchema, value, `approvals ${where}`, InvalidInputError);
}

/** A key whose secret nobody has is a door that nobody closes: where it cannot be kept, it is ended. */
async function keptIn(
  { key, secret }: MadeKey,
  reserved: Reserved,
  client: SimpleFunctions,
): Promise<string> {
  const { keyId } = key;
  try {
    return reserved.keep(keyId, secret);
  } catch (cause) {
    const why = errorOf(cause).message;
    const end = await client.keys.revoke(keyId).then(
      () => "so it was revoked again; name another file with --output, and make one more",
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
