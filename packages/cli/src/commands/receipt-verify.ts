import {
  exitCodes,
  isSimpleFunctionsError,
  type JsonObject,
  type JsonValue,
  type Signature,
} from "@spfunctions/contracts";
import { configFolderOf, type KnownSigner, knownSigners, pinSigner } from "@spfunctions/host/installation";
import { readTrace, type ReceiptVerification, signingKeyId, verifyReceipt } from "@spfunctions/kernel";
import type { Command } from "commander";
import { badUsage, isBadUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { jsonOption, keyOption } from "../command-line/options.ts";
import type { CliIo } from "../io/cli-io.ts";
import type { Part, Printer } from "../io/printer.ts";
import { readJson } from "../io/read-json.ts";
import { readTraceFile } from "../trace/read-trace-file.ts";

type VerifyOptions = {
  readonly trace?: string;
  readonly key?: readonly string[];
  readonly pin?: true;
  readonly json?: true;
};

export function addReceiptVerify(receipt: Command, context: CommandContext): void {
  receipt
    .command("verify")
    .description("say whether a receipt can be believed")
    .argument("<file>", "a receipt, or what sf call --json printed; - for the standard input")
    .option("--trace <file>", "the trace that the receipt must agree with")
    .addOption(keyOption())
    .option("--pin", "trust the given key from now on, once it has proven itself here")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf call notes.add --pack ./notes.ts --policy policy.json --sign --json > call.json
  $ sf receipt verify call.json --key 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo --pin
  $ sf receipt verify call.json --trace run.jsonl

authentic: signed by a key that was given, or pinned earlier. consistent, signer unknown: nothing contradicts
it, and nobody vouches for it. invalid: something does.
Exit codes: 0 authentic or consistent, 2 bad usage, 6 invalid, or not signed by a key that was given.`,
    )
    .action(async (file: string, options: VerifyOptions) => {
      context.exit(await verify(file, options, context));
    });
}

async function verify(file: string, options: VerifyOptions, { io, print }: CommandContext): Promise<number> {
  const { key: given = [], pin, json } = options;
  if (pin === true && given.length === 0)
    throw badUsage("--pin needs the key that is to be trusted: give --key");
  const configFolder = configFolderOf(io.env);
  const known = given.length > 0 ? given : knownSigners(configFolder).map(({ publicKey }) => publicKey);
  const receipt = await readReceipt(file, io);
  const trace =
    options.trace === undefined ? undefined : await readTrace(await readTraceFile(options.trace, io));
  const verification = isReceipt(receipt)
    ? verifyReceipt(receipt.value, { trace, publicKeys: known })
    : receipt;
  const isAuthentic = verification.status === "authentic";
  const pinned = pin === true && isAuthentic ? pinOf(configFolder, receipt, given) : undefined;
  const ok = given.length > 0 ? isAuthentic : verification.status !== "invalid";
  if (json === true) print.json({ ok, ...verification, ...(pinned && { pinned }) }, 2);
  else printChecks(print, verification, pinned);
  return ok ? exitCodes.done : exitCodes.verificationFailed;
}

type Found = { readonly value: JsonValue };

/** What is no JSON can be no receipt either. */
async function readReceipt(file: string, io: CliIo): Promise<Found | ReceiptVerification> {
  try {
    return { value: receiptIn(await readJson(file, io, file)) };
  } catch (error) {
    if (!isSimpleFunctionsError(error) || error.code !== "invalid_input" || isBadUsage(error)) throw error;
    return { status: "invalid", checks: [{ check: "shape", result: "failed", detail: error.message }] };
  }
}

function isReceipt(found: Found | ReceiptVerification): found is Found {
  return "value" in found;
}

/** The receipt itself, or the one in a call's answer. */
function receiptIn(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null || Object.hasOwn(value, "v")) return value;
  return (value as JsonObject).receipt ?? value;
}

/** The one key that has signed, of those that were given. */
function pinOf(
  configFolder: string,
  found: Found | ReceiptVerification,
  given: readonly string[],
): KnownSigner | undefined {
  const { keyId } = ((found as Found).value as { signature: Signature }).signature;
  const key = given.find((one) => signingKeyId(one) === keyId);
  return key === undefined ? undefined : pinSigner(configFolder, key);
}

const words: { readonly [Status in ReceiptVerification["status"]]: Part } = {
  authentic: { text: "authentic", style: ["bold", "green"] },
  consistent: { text: "consistent, signer unknown", style: ["bold", "yellow"] },
  invalid: { text: "invalid", style: ["bold", "red"] },
};
const marks: { readonly [Result in "passed" | "failed" | "not_checked"]: Part } = {
  passed: { text: "✓", style: "green" },
  failed: { text: "✗", style: "red" },
  not_checked: { text: "·", style: "dim" },
};

function printChecks(
  print: Printer,
  { status, checks }: ReceiptVerification,
  pinned: KnownSigner | undefined,
): void {
  print.out(words[status]);
  for (const { check, result, detail } of checks)
    print.out("  ", marks[result], ` ${check.padEnd(9)}  ${detail}`);
  if (pinned !== undefined) print.out(`pinned ${pinned.keyId}`);
}
